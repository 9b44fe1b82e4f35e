/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.listing;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hudi.common.model.FileSlice;
import org.apache.hudi.common.model.HoodieCommitMetadata;
import org.apache.hudi.common.table.HoodieTableMetaClient;
import org.apache.hudi.common.table.timeline.HoodieInstant;
import org.apache.hudi.common.table.timeline.TimelineUtils;
import org.apache.hudi.common.table.view.HoodieTableFileSystemView;
import org.apache.hudi.hadoop.utils.HoodieInputFormatUtils;
import org.apache.hudi.storage.StoragePath;
import org.apache.hudi.storage.StoragePathInfo;

/**
 * The file slices that a range of commits has written, by what the commits say of themselves: no
 * directory is listed. The files are those of the range alone, as in Spark's {@code
 * MergeOnReadIncrementalRelationV2}.
 */
public final class IncrementalListing implements SliceListing {
  private final HoodieTableMetaClient table;
  private final List<HoodieInstant> commits;
  private List<HoodieCommitMetadata> metadata;

  /**
   * @param commits completed and on the active timeline, in the order of their requested times
   */
  public IncrementalListing(HoodieTableMetaClient table, List<HoodieInstant> commits) {
    this.table = table;
    this.commits = commits;
  }

  @Override
  public List<String> partitions() throws IOException {
    return metadata().stream()
        .flatMap(commit -> commit.getPartitionToWriteStats().keySet().stream())
        .distinct()
        .sorted()
        .collect(Collectors.toList());
  }

  @Override
  public List<FileSlice> slices(List<String> partitions) throws IOException {
    if (commits.isEmpty()) {
      return new ArrayList<>();
    }
    List<StoragePathInfo> written =
        HoodieInputFormatUtils.listAffectedFilesForCommits(
            table.getStorageConf().unwrapAs(Configuration.class), table.getBasePath(), metadata());
    String last = commits.get(commits.size() - 1).requestedTime();
    List<FileSlice> slices = new ArrayList<>();
    try (HoodieTableFileSystemView view =
        new HoodieTableFileSystemView(table, SnapshotListing.timeline(table), written)) {
      for (String partition : partitions) {
        view.getLatestMergedFileSlicesBeforeOrOn(partition, last).forEach(slices::add);
      }
    }
    List<FileSlice> read = SnapshotListing.withoutChanges(slices);
    for (FileSlice slice : read) {
      requireThere(slice);
    }
    return read;
  }

  private List<HoodieCommitMetadata> metadata() throws IOException {
    if (metadata == null) {
      List<HoodieCommitMetadata> read = new ArrayList<>();
      for (HoodieInstant commit : commits) {
        HoodieCommitMetadata one =
            TimelineUtils.getCommitMetadata(commit, table.getActiveTimeline());
        read.add(one);
      }
      metadata = read;
    }
    return metadata;
  }

  /** A cleaned file would be found missing by its reader, and Hive takes some of that for empty. */
  private void requireThere(FileSlice slice) throws IOException {
    List<StoragePath> paths = new ArrayList<>();
    slice.getBaseFile().ifPresent(base -> paths.add(base.getStoragePath()));
    slice.getLogFiles().forEach(log -> paths.add(log.getPath()));
    for (StoragePath path : paths) {
      if (!table.getStorage().exists(path)) {
        throw new IOException(
            path
                + ", which a commit of the incremental query has written, was cleaned. End the"
                + " query later, or have the cleaner keep more commits"
                + " (hoodie.cleaner.commits.retained)");
      }
    }
  }

  @Override
  public void close() {
    // Nothing is open.
  }
}
