// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.table.listing;

import io.hudiskip.table.commits.LastCommits;
import io.hudiskip.table.failure.ReadFailedException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hudi.common.fs.FSUtils;
import org.apache.hudi.common.model.FileSlice;
import org.apache.hudi.common.model.HoodieBaseFile;
import org.apache.hudi.common.model.HoodieFileGroupId;
import org.apache.hudi.common.model.HoodieLogFile;
import org.apache.hudi.common.table.HoodieTableMetaClient;
import org.apache.hudi.common.table.timeline.HoodieInstant;
import org.apache.hudi.common.table.timeline.HoodieTimeline;
import org.apache.hudi.common.table.view.HoodieTableFileSystemView;
import org.apache.hudi.storage.StoragePath;
import org.apache.hudi.storage.StoragePathInfo;

/**
 * The file slices, at the end of a range, of the file groups that its commits touched. Slices are
 * complete, since a row of one of these commits may have lost against, or been merged with, an
 * earlier one.
 *
 * <p>The files come from commit metadata. Only partitions that archived commits may have written to
 * are listed.
 */
public final class IncrementalListing {
  private final HoodieTableMetaClient table;
  private final SelectedCommits selection;
  private final ListedPartitions partitions;
  private final TouchedGroups touched;

  /** {@code table} was opened when its timeline had these commits. */
  public IncrementalListing(
      HoodieTableMetaClient table,
      LastCommits lastCommits,
      SelectedCommits selection,
      ListedPartitions partitions) {
    this.table = table;
    this.selection = selection;
    this.partitions = partitions;
    this.touched = new TouchedGroups(table, lastCommits);
  }

  /** The file slices, each file group once. */
  public List<FileSlice> slices() throws IOException {
    Set<HoodieFileGroupId> wanted = touched.of(selection);
    Set<String> kept =
        new HashSet<>(
            partitions.keeps(
                wanted.stream()
                    .map(HoodieFileGroupId::getPartitionPath)
                    .collect(Collectors.toSet())));
    wanted.removeIf(group -> !kept.contains(group.getPartitionPath()));
    if (wanted.isEmpty()) {
      return new ArrayList<>();
    }
    List<StoragePathInfo> files = new ArrayList<>();
    Set<HoodieFileGroupId> rewritten =
        files(StateFiles.of(table, touched, selection, wanted), files);
    List<FileSlice> slices = new ArrayList<>();
    HoodieTimeline timeline = timeline();
    try (HoodieTableFileSystemView view = new HoodieTableFileSystemView(table, timeline, files)) {
      // The timeline has only the state's commits, and pending compactions, whose slices have all
      // logs that completed after their request.
      String last = timeline.lastInstant().map(HoodieInstant::requestedTime).orElse("");
      for (String partition : partitionsOf(files)) { // the view would list others
        view.getLatestMergedFileSlicesBeforeOrOn(partition, last)
            .filter(slice -> wanted.contains(slice.getFileGroupId()) && !slice.isEmpty())
            .forEach(slices::add);
      }
    }
    List<FileSlice> read = SnapshotListing.withoutChanges(slices);
    for (FileSlice slice : read) {
      requireExisting(slice, rewritten);
    }
    return read;
  }

  private HoodieTimeline timeline() {
    return SnapshotListing.timeline(table)
        .filter(instant -> !instant.isCompleted() || selection.includes(instant.requestedTime()));
  }

  /**
   * Collects the files of the state at the range's end.
   *
   * @return groups that were rewritten later, whose files may have been cleaned
   */
  private Set<HoodieFileGroupId> files(StateFiles named, List<StoragePathInfo> files)
      throws IOException {
    files.addAll(named.all());
    Set<HoodieFileGroupId> rewritten = new HashSet<>();
    if (named.unknownPartitions().isEmpty()) {
      return rewritten;
    }
    Set<String> known =
        files.stream().map(file -> file.getPath().getName()).collect(Collectors.toSet());
    try (SnapshotListing listing = new SnapshotListing(table, null, false)) {
      for (StoragePathInfo file : listing.files(named.unknownPartitions())) {
        if (!isIncluded(file)) {
          if (!FSUtils.isLogFile(file.getPath())) {
            String fileId = FSUtils.getFileId(file.getPath().getName());
            rewritten.add(new HoodieFileGroupId(partition(file), fileId));
          }
        } else if (!known.contains(file.getPath().getName())) {
          files.add(file);
        }
      }
    }
    return rewritten;
  }

  private List<String> partitionsOf(List<StoragePathInfo> files) {
    return files.stream().map(this::partition).distinct().sorted().collect(Collectors.toList());
  }

  private String partition(StoragePathInfo file) {
    return FSUtils.getRelativePartitionPath(table.getBasePath(), file.getPath().getParent());
  }

  /** Whether the state includes a file's commit. */
  private boolean isIncluded(StoragePathInfo file) {
    StoragePath path = file.getPath();
    return selection.includes(
        FSUtils.isLogFile(path)
            ? new HoodieLogFile(file).getDeltaCommitTime()
            : new HoodieBaseFile(file).getCommitTime());
  }

  /**
   * Refuses a slice with a cleaned file: Hive takes some missing files for empty ones, and without
   * its base file a slice has other rows.
   */
  private void requireExisting(FileSlice slice, Set<HoodieFileGroupId> rewritten)
      throws IOException {
    if (!slice.getBaseFile().isPresent() && rewritten.contains(slice.getFileGroupId())) {
      throw cleaned("the base file of " + slice.getFileGroupId());
    }
    List<StoragePath> paths = new ArrayList<>();
    slice.getBaseFile().ifPresent(base -> paths.add(base.getStoragePath()));
    slice.getLogFiles().forEach(log -> paths.add(log.getPath()));
    for (StoragePath path : paths) {
      if (!table.getStorage().exists(path)) {
        throw cleaned(path.toString());
      }
    }
  }

  private static IOException cleaned(String what) {
    return new ReadFailedException(
        what
            + ", which an incremental query needs for the state at the end of its range, has been"
            + " cleaned. End the range later, or configure the cleaner to retain more commits"
            + " (hoodie.clean.commits.retained)");
  }
}
