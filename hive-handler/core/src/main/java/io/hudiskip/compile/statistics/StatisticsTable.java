// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.statistics;

import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Column statistics of a list of files, addressed by position in the list. */
public interface StatisticsTable {

  int fileCount();

  /** A column's statistics; empty when no file has any. */
  Optional<ColumnVector> column(String name);

  /** Whether a column's statistics count, if there are any, in place of what an index says. */
  default boolean replaces(String column) {
    return false;
  }

  /** Statistics that are empty for every file. */
  static StatisticsTable ofNothing(int fileCount) {
    return of(fileCount, Collections.emptyMap());
  }

  /** Statistics by column and position, null where there are none; kept, not copied. */
  static StatisticsTable of(int fileCount, Map<String, ColumnStatistics[]> columns) {
    return of(
        fileCount,
        name -> Optional.ofNullable(columns.get(name)).map(ranges -> file -> ranges[file]));
  }

  /** Statistics by {@link #column}. */
  static StatisticsTable of(int fileCount, Function<String, Optional<ColumnVector>> columns) {
    return new StatisticsTable() {
      @Override
      public int fileCount() {
        return fileCount;
      }

      @Override
      public Optional<ColumnVector> column(String name) {
        return columns.apply(name);
      }
    };
  }
}
