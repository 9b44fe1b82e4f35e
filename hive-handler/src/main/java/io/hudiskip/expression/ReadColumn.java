/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.expression;

import io.hudiskip.encoding.HiveType;
import io.hudiskip.statistics.ColumnStatistics;
import io.hudiskip.statistics.ColumnVector;
import io.hudiskip.statistics.StatisticsTable;
import java.util.Optional;

/** A column, and the type that Hive reads it as. */
public final class ReadColumn {
  private final String name;
  private final HiveType type;

  /**
   * A column.
   *
   * @param name lower-case; the fields of a struct are joined by dots
   */
  public ReadColumn(String name, HiveType type) {
    this.name = name;
    this.type = type;
  }

  /** Lower-case; the fields of a struct are joined by dots. */
  public String name() {
    return name;
  }

  /** The type that Hive reads it as. */
  public HiveType type() {
    return type;
  }

  /**
   * What is known of the column, where something may be concluded from it; null for a file where
   * nothing may.
   */
  public ColumnVector in(StatisticsTable statistics) {
    return statistics
        .column(name)
        .<ColumnVector>map(known -> new Understood(known, type))
        .orElse(file -> null);
  }

  /** Leaves out what is known of values that Hive reads as other values, or as NULL. */
  private static final class Understood implements ColumnVector {
    private final ColumnVector known;
    private final HiveType type;

    /** Files mostly agree on the stored type, and it is looked at once for many of them. */
    private Optional<HiveType> lastStored = Optional.empty();

    private boolean lastIsUnderstood;

    Understood(ColumnVector known, HiveType type) {
      this.known = known;
      this.type = type;
    }

    @Override
    public ColumnStatistics range(int file) {
      ColumnStatistics range = known.range(file);
      return range != null && isUnderstood(range.type()) ? range : null;
    }

    private boolean isUnderstood(Optional<HiveType> stored) {
      if (!stored.equals(lastStored)) {
        lastIsUnderstood = stored.isPresent() && HiveType.readsWithoutLoss(stored.get(), type);
      }
      // The same object is compared at once, and the next file mostly has that one.
      lastStored = stored;
      return lastIsUnderstood;
    }
  }
}
