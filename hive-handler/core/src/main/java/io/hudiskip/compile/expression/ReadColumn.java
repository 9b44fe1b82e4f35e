// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.expression;

import io.hudiskip.compile.encoding.HiveType;
import io.hudiskip.compile.statistics.ColumnStatistics;
import io.hudiskip.compile.statistics.ColumnVector;
import io.hudiskip.compile.statistics.StatisticsTable;
import javax.annotation.Nullable;

/** A column and the type Hive reads it as. */
public final class ReadColumn {
  private final String name;
  private final HiveType type;

  public ReadColumn(String name, HiveType type) {
    this.name = name;
    this.type = type;
  }

  /** Lower-case; nested fields are joined by dots. */
  public String name() {
    return name;
  }

  /** The type Hive reads it as. */
  public HiveType type() {
    return type;
  }

  /**
   * The column's usable statistics; null for files where the stored type rules out any conclusion.
   */
  public ColumnVector in(StatisticsTable statistics) {
    return statistics
        .column(name)
        .<ColumnVector>map(known -> file -> lossless(known.range(file)))
        .orElse(file -> null);
  }

  /** Hides statistics of stored values that Hive reads as other values, or as NULL. */
  @Nullable
  private ColumnStatistics lossless(@Nullable ColumnStatistics range) {
    return range == null ? null : range.readAs(type).orElse(null);
  }
}
