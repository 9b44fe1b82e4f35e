// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.table.listing;

import io.hudiskip.index.columns.MetadataTableIndex;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.annotation.Nullable;
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
 * The latest file slice of each file group at the last completed instant of a timeline, which is
 * read before files are listed. In Hudi's own order ({@code BaseHoodieTableFileIndex}), a
 * clustering that completes in between would replace file groups whose successors are missing from
 * the list, and lose their rows. Here, files of later commits are listed but the view drops them.
 */
public final class SnapshotListing implements Closeable {
  private final HoodieTableMetaClient metaClient;
  private final String root;
  private final HoodieTimeline timeline;
  @Nullable private final String instant;
  private final boolean isReadOptimized;
  private final boolean readsMetadataTable;
  private final HoodieTableMetadata files;

  /**
   * Creates a listing.
   *
   * @param metaClient its timeline defines the commits to read
   * @param instant the last commit to read, or null for all
   * @param isReadOptimized whether logs, and slices with nothing else, are left out: the rows of
   *     the last compaction remain
   */
  public SnapshotListing(
      HoodieTableMetaClient metaClient, @Nullable String instant, boolean isReadOptimized) {
    this.metaClient = metaClient;
    this.root = metaClient.getBasePath().toString();
    this.timeline = timeline(metaClient);
    this.instant = instant;
    this.isReadOptimized = isReadOptimized;
    this.readsMetadataTable = HoodieTableMetadataUtil.isFilesPartitionAvailable(metaClient);
    // The readers are reused, so the metadata table's logs are scanned once, for partitions and for
    // files. Their records stay until the listing is closed, on disk from
    // hoodie.metadata.max.reader.memory on. Without reuse, Hudi looks keys up in the logs anew
    // for each of the two.
    this.files =
        metaClient
            .getTableFormat()
            .getMetadataFactory()
            .create(
                new HoodieLocalEngineContext(metaClient.getStorageConf()),
                metaClient.getStorage(),
                MetadataTableIndex.reading(readsMetadataTable),
                root,
                true);
  }

  /** The commits to read. They include pending compactions, whose requests begin file slices. */
  public static HoodieTimeline timeline(HoodieTableMetaClient metaClient) {
    return metaClient.getCommitsAndCompactionTimeline().filterCompletedAndCompactionInstants();
  }

  /** The file slices of the partitions that a filter keeps, each file group once. */
  public List<FileSlice> slices(ListedPartitions filter) throws IOException {
    if (!metaClient.getTableConfig().isTablePartitioned()) {
      return slices(Collections.singletonList(""));
    }
    if (filter == ListedPartitions.ALL) {
      return slices(files.getAllPartitionPaths());
    }
    if (readsMetadataTable) {
      return slices(filter.keeps(files.getAllPartitionPaths()));
    }
    Map<String, List<StoragePathInfo>> found = new PartitionWalk(metaClient).find(filter);
    return slices(found.keySet(), found);
  }

  /** The file slices of some partitions, each file group once. */
  public List<FileSlice> slices(Collection<String> partitions) throws IOException {
    Map<String, List<StoragePathInfo>> byFolder = byFolder(partitions);
    Map<String, List<StoragePathInfo>> byPartition = new HashMap<>();
    for (String partition : partitions) {
      byPartition.put(partition, byFolder.getOrDefault(folder(partition), Collections.emptyList()));
    }
    return slices(partitions, byPartition);
  }

  private List<FileSlice> slices(
      Collection<String> partitions, Map<String, List<StoragePathInfo>> byPartition)
      throws IOException {
    try (HoodieTableFileSystemView view =
        new HoodieTableFileSystemView(metaClient, timeline, Collections.emptyList())) {
      for (String partition : partitions) {
        // With the partition, Hudi need not derive it from the path of each file.
        view.addFilesToView(partition, byPartition.get(partition));
      }
      List<FileSlice> slices = new ArrayList<>();
      for (String partition : partitions) {
        latest(view, partition).forEach(slices::add);
      }
      return isReadOptimized ? withoutLogs(slices) : withoutChanges(slices);
    }
  }

  /** All files of some partitions, whatever their commits. */
  List<StoragePathInfo> files(Collection<String> partitions) throws IOException {
    return byFolder(partitions).values().stream()
        .flatMap(Collection::stream)
        .collect(Collectors.toList());
  }

  private Map<String, List<StoragePathInfo>> byFolder(Collection<String> partitions)
      throws IOException {
    return files.getAllFilesInPartitions(
        partitions.stream().map(this::folder).collect(Collectors.toList()));
  }

  private String folder(String partition) {
    return partition.isEmpty() ? root : root + StoragePath.SEPARATOR + partition;
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

  /** Drops change-data-capture logs, which copy-on-write tables also have. */
  static List<FileSlice> withoutChanges(List<FileSlice> slices) {
    return slices.stream()
        .map(
            slice ->
                slice.getLogFiles().anyMatch(HoodieLogFile::isCDC)
                    ? with(slice, log -> !log.isCDC())
                    : slice)
        .collect(Collectors.toList());
  }

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
    } catch (Exception e) { // declared by the method
      throw new IOException(e);
    }
  }
}
