// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.expression;

import io.hudiskip.statistics.ColumnStatistics;
import io.hudiskip.statistics.ColumnVector;
import io.hudiskip.statistics.StatisticsTable;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Statistics that a test puts together file by file. */
final class InMemoryStatistics implements StatisticsTable {
  private final int fileCount;
  private final Map<String, ColumnStatistics[]> columns = new HashMap<>();

  InMemoryStatistics(int fileCount) {
    this.fileCount = fileCount;
  }

  void put(String column, int file, ColumnStatistics range) {
    columns.computeIfAbsent(column, name -> new ColumnStatistics[fileCount])[file] = range;
  }

  @Override
  public int fileCount() {
    return fileCount;
  }

  @Override
  public Optional<ColumnVector> column(String name) {
    return Optional.ofNullable(columns.get(name)).map(ranges -> file -> ranges[file]);
  }
}
