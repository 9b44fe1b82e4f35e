// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.expression;

import io.hudiskip.encoding.HiveType;
import io.hudiskip.statistics.ColumnStatistics;
import io.hudiskip.statistics.ColumnVector;
import io.hudiskip.statistics.StatisticsTable;
import java.util.Optional;

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
        .<ColumnVector>map(known -> new LosslessVector(known, type))
        .orElse(file -> null);
  }

  /** Hides statistics of stored values that Hive reads as other values, or as NULL. */
  private static final class LosslessVector implements ColumnVector {
    private final ColumnVector known;
    private final HiveType type;

    /** Consecutive files mostly share a stored type, so the last check is cached. */
    private Optional<HiveType> lastStored = Optional.empty();

    private boolean lastIsLossless;

    LosslessVector(ColumnVector known, HiveType type) {
      this.known = known;
      this.type = type;
    }

    @Override
    public ColumnStatistics range(int file) {
      ColumnStatistics range = known.range(file);
      return range != null && isLossless(range.type()) ? range : null;
    }

    private boolean isLossless(Optional<HiveType> stored) {
      if (!stored.equals(lastStored)) {
        lastIsLossless = stored.isPresent() && HiveType.readsWithoutLoss(stored.get(), type);
      }
      // Keeping the latest object lets the next equals() return on identity.
      lastStored = stored;
      return lastIsLossless;
    }
  }
}
