// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.table.source;

import io.hudiskip.index.BaseFile;
import io.hudiskip.index.IndexUnavailableException;
import io.hudiskip.index.StatisticsIndex;
import io.hudiskip.index.columns.IndexFactory;
import io.hudiskip.table.HudiTable;
import io.hudiskip.table.TableTotals;
import io.hudiskip.table.UnreadableTableException;
import java.io.IOException;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hudi.common.model.FileSlice;

/**
 * How far an index is behind its table. The files that it lacks are always read, so a lag costs
 * time and loses no row.
 */
public final class IndexLag {
  private final TableTotals notIndexed;
  private final int commits;

  private IndexLag(TableTotals notIndexed, int commits) {
    this.notIndexed = notIndexed;
    this.commits = commits;
  }

  /**
   * Measures the lag.
   *
   * @param files the files of the slices, in order
   * @param slicesOfFiles the slice of each file; must include all slices that commits have changed
   *     since the index was updated
   * @return empty if the index is not one that can be behind
   * @throws IndexUnavailableException when the index is unreadable or damaged
   */
  public static Optional<IndexLag> of(
      StatisticsIndex index, HudiTable table, List<BaseFile> files, List<FileSlice> slicesOfFiles)
      throws IndexUnavailableException {
    Optional<BitSet> missing = index.notIndexed(files);
    if (!missing.isPresent()) {
      return Optional.empty();
    }
    List<FileSlice> notIndexed =
        missing.get().stream().mapToObj(slicesOfFiles::get).distinct().collect(Collectors.toList());
    return Optional.of(new IndexLag(TableTotals.of(notIndexed), commits(index, table)));
  }

  /**
   * Number of completed commits that the index beside a table has not seen, without listing files;
   * 0 if there is no index. A damaged one is not behind, so it is checked.
   *
   * @throws IndexUnavailableException when the index is damaged
   */
  public static int commits(Configuration conf, Path root)
      throws IndexUnavailableException, UnreadableTableException, IOException {
    // The index first: it must not be newer than the table.
    Optional<StatisticsIndex> index = IndexFactory.openIfAny(root.getFileSystem(conf), root);
    if (!index.isPresent()) {
      return 0;
    }
    index.get().check();
    return commits(index.get(), HudiTable.open(conf, root.toString()));
  }

  private static int commits(StatisticsIndex index, HudiTable table) {
    return index
        .seen()
        .map(seen -> TimelineChanges.commitsSince(table.metaClient(), seen))
        .orElse(0);
  }

  /** Slices with a file that is not indexed. */
  public TableTotals notIndexed() {
    return notIndexed;
  }

  /** Number of completed commits that the index has not seen; 0 if it does not record them. */
  public int commits() {
    return commits;
  }

  /** Whether an update of the index would make more files skippable. */
  public boolean isBehind() {
    return commits > 0 || notIndexed.files() > 0;
  }
}
