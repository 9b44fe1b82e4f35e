// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.evolution;

import org.apache.hadoop.io.Writable;

/** Converts a file's value to the same value of the table's current type. */
interface Conversion {
  /** The identity. */
  Conversion NONE = value -> value;

  /** {@code value} is never null: NULL is NULL in every type. */
  Writable apply(Writable value);

  /** As {@link #apply}, but null stays null. */
  default Writable applyToNullable(Writable value) {
    return value == null ? null : apply(value);
  }
}
