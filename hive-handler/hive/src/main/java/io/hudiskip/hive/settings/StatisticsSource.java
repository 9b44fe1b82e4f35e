// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.settings;

import java.util.Locale;

/** Where the statistics of a table's files come from. */
public enum StatisticsSource {
  /** The table's own index if it has one, else the metadata table if that has column statistics. */
  AUTO,

  /** The index that {@code hudi-skip} builds beside the table. */
  PARQUET,

  /** The partition {@code column_stats} of Hudi's metadata table. */
  METADATA_TABLE;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
