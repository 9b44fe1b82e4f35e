/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip;

import java.util.Locale;

/** Where the statistics of a table's files are taken from. */
public enum IndexLayout {
  /** The table's own index if it has one, else the metadata table if that has column statistics. */
  AUTO,

  /** The index that {@code hudi-skip} builds beside the table. */
  PARQUET,

  /** The partition {@code column_stats} of Hudi's metadata table. */
  METADATA_TABLE;

  /** The name as users write it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
