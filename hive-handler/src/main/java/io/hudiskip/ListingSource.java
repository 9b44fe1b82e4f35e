/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip;

import java.util.Locale;

/** Where the names and sizes of a table's files are taken from. */
public enum ListingSource {
  /** The statistics index, where it is proved to know them; else a listing by Hudi. */
  INDEX,

  /** A listing by Hudi. */
  FILES;

  /** The name as users write it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
