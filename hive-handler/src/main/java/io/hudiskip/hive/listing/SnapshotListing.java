/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.listing;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.annotation.Nullable;
import org.apache.hudi.common.config.HoodieMetadataConfig;
import org.apache.hudi.common.engine.HoodieLocalEngineContext;
import org.apache.hudi.common.model.FileSlice;
import org.apache.hudi.common.model.HoodieLogFile;
import org.apache.hudi.common.table.HoodieTableMetaClient;
import org.apache.hudi.common.table.timeline.HoodieInstant;
import org.apache.hudi.common.table.timeline.HoodieTimeline;
import org.apache.hudi.common.table.view.HoodieTableFileSystemView;
import org.apache.hudi.common.util.Option;
import org.apache.hudi.metadata.HoodieTableMetadata;
import org.apache.hudi.metadata.HoodieTableMetadataUtil;
import org.apache.hudi.storage.StoragePath;
import org.apache.hudi.storage.StoragePathInfo;

/**
 * The latest file slice of each file group, as of the last completed instant of a timeline that was
 * read before the files are listed. The other way round, which is Hudi's own ({@code
 * BaseHoodieTableFileIndex}), a clustering that completes in between would be seen to replace file
 * groups whose successors are not in the list, and their rows would be lost; so, files of later
 * commits are listed, and left out by the view.
 */
public final class SnapshotListing implements SliceListing {
  private final HoodieTableMetaClient metaClient;
  private final HoodieTimeline timeline;
  @Nullable private final String instant;
  private final boolean isReadOptimized;
  private final HoodieTableMetadata files;

  /**
   * @param metaClient of the table, whose timeline says which commits count
   * @param instant up to which they do, null for all
   * @param isReadOptimized whether logs are left out, and slices that have nothing else: what is
   *     left are the rows of the last compaction
   */
  public SnapshotListing(
      HoodieTableMetaClient metaClient, @Nullable String instant, boolean isReadOptimized) {
    this.metaClient = metaClient;
    this.timeline = timeline(metaClient);
    this.instant = instant;
    this.isReadOptimized = isReadOptimized;
    this.files =
        HoodieTableMetadata.create(
            new HoodieLocalEngineContext(metaClient.getStorageConf()),
            metaClient.getStorage(),
            HoodieMetadataConfig.newBuilder()
                .enable(HoodieTableMetadataUtil.isFilesPartitionAvailable(metaClient))
                .build(),
            metaClient.getBasePath().toString());
  }

  /**
   * The commits that count in a table. Pending compactions are among them: a file slice begins with
   * their request.
   */
  public static HoodieTimeline timeline(HoodieTableMetaClient metaClient) {
    return metaClient.getCommitsAndCompactionTimeline().filterCompletedAndCompactionInstants();
  }

  @Override
  public List<String> partitions() throws IOException {
    return metaClient.getTableConfig().isTablePartitioned()
        ? files.getAllPartitionPaths()
        : Collections.singletonList("");
  }

  @Override
  public List<FileSlice> slices(List<String> partitions) throws IOException {
    try (HoodieTableFileSystemView view =
        new HoodieTableFileSystemView(metaClient, timeline, files(partitions))) {
      List<FileSlice> slices = new ArrayList<>();
      for (String partition : partitions) {
        latest(view, partition).forEach(slices::add);
      }
      return isReadOptimized ? withoutLogs(slices) : withoutChanges(slices);
    }
  }

  /** All files of some partitions, of whichever commits. */
  List<StoragePathInfo> files(List<String> partitions) throws IOException {
    List<String> folders =
        partitions.stream()
            .map(partition -> folder(partition).toString())
            .collect(Collectors.toList());
    return files.getAllFilesInPartitions(folders).values().stream()
        .flatMap(Collection::stream)
        .collect(Collectors.toList());
  }

  private StoragePath folder(String partition) {
    return partition.isEmpty()
        ? metaClient.getBasePath()
        : new StoragePath(metaClient.getBasePath(), partition);
  }

  private Stream<FileSlice> latest(HoodieTableFileSystemView view, String partition) {
    if (instant != null) {
      return view.getLatestMergedFileSlicesBeforeOrOn(partition, instant);
    }
    Option<HoodieInstant> last = timeline.lastInstant();
    return last.isPresent()
        ? view.getLatestMergedFileSlicesBeforeOrOn(partition, last.get().requestedTime())
        : view.getLatestFileSlices(partition);
  }

  private static List<FileSlice> withoutLogs(List<FileSlice> slices) {
    return slices.stream()
        .filter(slice -> slice.getBaseFile().isPresent())
        .map(slice -> with(slice, log -> false))
        .collect(Collectors.toList());
  }

  /**
   * Without the logs that only tell a change from its outcome; copy-on-write tables have them, too.
   */
  static List<FileSlice> withoutChanges(List<FileSlice> slices) {
    return slices.stream()
        .map(
            slice ->
                slice.getLogFiles().anyMatch(HoodieLogFile::isCDC)
                    ? with(slice, log -> !log.isCDC())
                    : slice)
        .collect(Collectors.toList());
  }

  /** A slice with some of its logs. */
  private static FileSlice with(FileSlice slice, Predicate<HoodieLogFile> logs) {
    FileSlice left = new FileSlice(slice.getFileGroupId(), slice.getBaseInstantTime());
    slice.getBaseFile().ifPresent(left::setBaseFile);
    slice.getLogFiles().filter(logs).forEach(left::addLogFile);
    return left;
  }

  @Override
  public void close() throws IOException {
    try {
      files.close();
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) { // the method declares it
      throw new IOException(e);
    }
  }
}
