// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.settings;

import java.util.Locale;

/** Where the names and sizes of a table's files come from. */
public enum ListingSource {
  /** The statistics index where it provably knows them, else a listing by Hudi. */
  INDEX,

  FILES;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
