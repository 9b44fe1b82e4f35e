// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.index.storage;

import io.hudiskip.compile.statistics.ColumnStatistics;
import io.hudiskip.compile.statistics.ColumnVector;
import io.hudiskip.compile.statistics.RecordedTimestamps;
import io.hudiskip.compile.statistics.StatisticsTable;
import io.hudiskip.compile.statistics.Supplemented;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.annotation.Nullable;

/** The index's statistics of listed files. Serves one evaluation in one thread. */
final class ListingStatistics implements StatisticsTable {
  private final int[] positions;
  private final Map<String, List<IndexColumn>> columns;

  /**
   * Statistics of some files.
   *
   * @param positions places in the listing
   * @param columns by name: the rows of each kind, ranges first
   */
  ListingStatistics(int[] positions, Map<String, List<IndexColumn>> columns) {
    this.positions = positions;
    this.columns = columns;
  }

  int position(int file) {
    return positions[file];
  }

  /**
   * These statistics in present units, with {@code beside}, of the whole listing, where the index
   * has none.
   */
  StatisticsTable supplemented(StatisticsTable beside, RecordedTimestamps timestamps) {
    return new Supplemented(timestamps.readable(this), beside, file -> positions[file]);
  }

  @Override
  public int fileCount() {
    return positions.length;
  }

  @Override
  public Optional<ColumnVector> column(String name) {
    return Optional.ofNullable(columns.get(name))
        .map(kinds -> file -> statistics(positions[file], kinds));
  }

  @Nullable
  private static ColumnStatistics statistics(int position, List<IndexColumn> kinds) {
    ColumnStatistics known = null;
    for (IndexColumn rows : kinds) {
      known = rows.addTo(known, position);
    }
    return known;
  }
}
