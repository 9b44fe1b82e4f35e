// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.table.listing;

import io.hudiskip.table.commits.Instants;
import io.hudiskip.table.version.HudiVersions;
import java.io.IOException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.hudi.common.fs.FSUtils;
import org.apache.hudi.common.model.HoodieFileGroupId;
import org.apache.hudi.common.model.HoodieWriteStat;
import org.apache.hudi.common.table.HoodieTableMetaClient;
import org.apache.hudi.common.table.timeline.HoodieInstant;
import org.apache.hudi.storage.StoragePath;
import org.apache.hudi.storage.StoragePathInfo;

/**
 * The files of some file groups' slices at the end of a range, from commit metadata, without
 * listing directories.
 *
 * <p>A slice is a base file and the logs whose commits completed after the base file's was
 * requested. So commits are read backwards until each group has a base file; commits requested and
 * completed before all of these were requested add nothing. Before table version 8, completion
 * times are not recorded, and a log's commit may have been requested just before the base file's:
 * like Hudi's own readers, this assumes that a commit takes less than a day ({@code
 * CompletionTimeQueryView}).
 */
final class StateFiles {
  private final HoodieTableMetaClient table;
  private final TouchedGroups touched;
  private final Map<HoodieFileGroupId, Map<String, StoragePathInfo>> files = new HashMap<>();

  /** Requested time of each group's last base file, once known. */
  private final Map<HoodieFileGroupId, String> bases = new HashMap<>();

  private final Set<String> unknown = new TreeSet<>();

  private StateFiles(
      HoodieTableMetaClient table, TouchedGroups touched, Set<HoodieFileGroupId> groups) {
    this.table = table;
    this.touched = touched;
    groups.forEach(group -> files.put(group, new HashMap<>()));
  }

  static StateFiles of(
      HoodieTableMetaClient table,
      TouchedGroups touched,
      SelectedCommits selection,
      Set<HoodieFileGroupId> groups)
      throws IOException {
    StateFiles found = new StateFiles(table, touched, groups);
    found.readBackwards(selection);
    found.markArchived();
    return found;
  }

  /** Partitions where archived commits may have written files of the slices. */
  Set<String> unknownPartitions() {
    return unknown;
  }

  List<StoragePathInfo> all() {
    return files.values().stream()
        .flatMap(groupFiles -> groupFiles.values().stream())
        .collect(Collectors.toList());
  }

  private void readBackwards(SelectedCommits selection) throws IOException {
    List<HoodieInstant> commits =
        table
            .getCommitsTimeline()
            .filterCompletedInstants()
            .getInstantsAsStream()
            .filter(commit -> selection.includes(commit.requestedTime()))
            .sorted(Comparator.comparing(this::lastTime).reversed())
            .collect(Collectors.toList());
    for (HoodieInstant commit : commits) {
      if (bases.size() == files.size() && lastTime(commit).compareTo(firstLog(firstBase())) < 0) {
        return;
      }
      for (Map.Entry<String, List<HoodieWriteStat>> written :
          touched.metadata(commit).getPartitionToWriteStats().entrySet()) {
        written.getValue().forEach(stat -> add(written.getKey(), stat));
      }
    }
  }

  /** A commit's requested or completion time, whichever is later. */
  private String lastTime(HoodieInstant commit) {
    String requested = commit.requestedTime();
    if (!areCompletionsRecorded()) {
      return requested;
    }
    return Instants.later(requested, commit.getCompletionTime());
  }

  private boolean areCompletionsRecorded() {
    return HudiVersions.recordsCompletionTimes(table.getTableConfig());
  }

  /** No log of a slice belongs to a commit before this time. */
  private String firstLog(String base) {
    return areCompletionsRecorded() ? base : Instants.shifted(base, -1).orElse("");
  }

  private String firstBase() {
    return bases.values().stream().min(String::compareTo).orElse("");
  }

  private void add(String partition, HoodieWriteStat stat) {
    HoodieFileGroupId group = new HoodieFileGroupId(partition, stat.getFileId());
    Map<String, StoragePathInfo> groupFiles = files.get(group);
    if (groupFiles == null || stat.getPath() == null) {
      return;
    }
    StoragePath path = FSUtils.constructAbsolutePath(table.getBasePath(), stat.getPath());
    StoragePathInfo file =
        new StoragePathInfo(path, stat.getFileSizeInBytes(), false, (short) 0, 0, 0);
    // Old releases appended to log files, so later commits know more of them.
    groupFiles.merge(path.getName(), file, StateFiles::longer);
    if (!FSUtils.isLogFile(path)) {
      bases.merge(group, FSUtils.getCommitTime(path.getName()), Instants::later);
    }
  }

  private static StoragePathInfo longer(StoragePathInfo one, StoragePathInfo other) {
    return one.getLength() >= other.getLength() ? one : other;
  }

  /** Commits are archived in order of requested time. */
  private void markArchived() {
    String from = bases.size() == files.size() ? Instants.shifted(firstBase(), -1).orElse("") : "";
    String last =
        files.isEmpty()
            ? ""
            : table
                .getArchivedTimeline(from)
                .getCommitsTimeline()
                .filterCompletedInstants()
                .getInstantsAsStream()
                .map(this::lastTime)
                .max(String::compareTo)
                .orElse("");
    if (last.isEmpty()) {
      return;
    }
    for (HoodieFileGroupId group : files.keySet()) {
      String base = bases.get(group);
      if (base == null || last.compareTo(firstLog(base)) >= 0) {
        unknown.add(group.getPartitionPath());
      }
    }
  }
}
