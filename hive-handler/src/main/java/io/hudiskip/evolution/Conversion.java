/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.evolution;

import org.apache.hadoop.io.Writable;

/** Turns a value of a file into the same value of the type that the table has now. */
interface Conversion {
  /** For a value that needs no turning. */
  Conversion NONE = value -> value;

  /** The value in the table's type; never called with null, which is NULL in every type. */
  Writable apply(Writable value);

  /** As {@link #apply}, and NULL stays NULL. */
  default Writable applyToNullable(Writable value) {
    return value == null ? null : apply(value);
  }
}
