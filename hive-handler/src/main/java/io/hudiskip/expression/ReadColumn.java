/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.expression;

import io.hudiskip.encoding.HiveType;
import java.util.Optional;

/** A column, and the type that Hive reads it as. */
final class ReadColumn {
  private final String name;
  private final HiveType type;

  ReadColumn(String name, HiveType type) {
    this.name = name;
    this.type = type;
  }

  /** Lower-case; the fields of a struct are joined by dots. */
  String name() {
    return name;
  }

  HiveType type() {
    return type;
  }

  /** What is known of the column; an entry for each file, null where nothing may be concluded. */
  ColumnRange[] rangesIn(FileStatistics statistics) {
    ColumnRange[] ranges = new ColumnRange[statistics.fileCount()];
    Optional<ColumnVector> column = statistics.column(name);
    if (column.isPresent()) {
      for (int file = 0; file < ranges.length; file++) {
        ColumnRange range = column.get().range(file);
        ranges[file] = range != null && isUnderstood(range.type()) ? range : null;
      }
    }
    return ranges;
  }

  /** Bounds of values that Hive reads as other values, or as NULL, say nothing. */
  private boolean isUnderstood(Optional<HiveType> stored) {
    return stored.isPresent() && HiveType.readsWithoutLoss(stored.get(), type);
  }
}
