/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.statistics;

import java.util.Optional;

/** Column statistics of a list of files; the position in the list names the file. */
public interface StatisticsTable {

  /** Number of files. */
  int fileCount();

  /**
   * The statistics of a column, one entry for each file.
   *
   * @return empty when nothing is known of the column in any file
   */
  Optional<ColumnVector> column(String name);

  /** Statistics of files of which nothing is known. */
  static StatisticsTable ofNothing(int fileCount) {
    return new StatisticsTable() {
      @Override
      public int fileCount() {
        return fileCount;
      }

      @Override
      public Optional<ColumnVector> column(String name) {
        return Optional.empty();
      }
    };
  }
}
