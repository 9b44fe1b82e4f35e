// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.index.storage;

import io.hudiskip.compile.expression.HudiExpression;
import io.hudiskip.compile.statistics.ColumnStatistics;
import io.hudiskip.compile.statistics.RecordedTimestamps;
import io.hudiskip.compile.statistics.StatisticsTable;
import io.hudiskip.index.manifest.RowGroupEntry;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * The manifest's statistics of runs of base files with consecutive ordinals. A run is evaluated
 * like one large file: statistics that hold for all its rows hold for those of each file.
 */
final class FileRuns {

  /** Ordinal of each run's first file, followed by the end of the last run. */
  private final int[] starts;

  private final StatisticsTable statistics;

  /**
   * Splits at the bounds of all columns' blocks.
   *
   * @param blocks for each column, the row groups with all effective rows
   */
  FileRuns(Map<String, List<RowGroupEntry>> blocks, RecordedTimestamps timestamps) {
    TreeSet<Integer> cuts = new TreeSet<>();
    for (List<RowGroupEntry> groups : blocks.values()) {
      for (RowGroupEntry group : groups) {
        if (group.block().isPresent()) {
          cuts.add(group.firstFile());
          cuts.add(group.lastFile() + 1);
        }
      }
    }
    starts = cuts.stream().mapToInt(Integer::intValue).toArray();
    int runs = Math.max(0, starts.length - 1);
    Map<String, ColumnStatistics[]> columns = new HashMap<>();
    blocks.forEach(
        (column, groups) -> {
          ColumnStatistics[] ranges = new ColumnStatistics[runs];
          groups.forEach(group -> cover(ranges, group));
          columns.put(column, ranges);
        });
    statistics = timestamps.readable(StatisticsTable.of(runs, columns));
  }

  private void cover(ColumnStatistics[] ranges, RowGroupEntry group) {
    if (group.block().isPresent()) {
      int first = Arrays.binarySearch(starts, group.firstFile());
      int end = Arrays.binarySearch(starts, group.lastFile() + 1);
      Arrays.fill(ranges, first, end, group.block().get());
    }
  }

  /** The ordinals of files in runs that cannot match, without Hive's evaluation of terms. */
  BitSet excluded(HudiExpression expression) {
    BitSet excluded = new BitSet();
    BitSet kept = expression.evaluate(statistics);
    int runs = statistics.fileCount();
    for (int run = kept.nextClearBit(0); run < runs; run = kept.nextClearBit(run + 1)) {
      excluded.set(starts[run], starts[run + 1]);
    }
    return excluded;
  }
}
