/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.expression;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Statistics that a test puts together file by file. */
final class TableStatistics implements FileStatistics {
  private final int fileCount;
  private final Map<String, ColumnRange[]> columns = new HashMap<>();

  TableStatistics(int fileCount) {
    this.fileCount = fileCount;
  }

  void put(String column, int file, ColumnRange range) {
    columns.computeIfAbsent(column, name -> new ColumnRange[fileCount])[file] = range;
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
