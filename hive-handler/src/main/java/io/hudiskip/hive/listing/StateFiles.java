/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.listing;

import io.hudiskip.hive.commits.LastCommits;
import java.io.IOException;
import java.util.ArrayList;
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
import org.apache.hudi.common.table.HoodieTableVersion;
import org.apache.hudi.common.table.timeline.HoodieInstant;
import org.apache.hudi.storage.StoragePath;
import org.apache.hudi.storage.StoragePathInfo;

/**
 * The files that the slices of some file groups can have at the end of a range, as the commits of
 * the timeline name them: no directory need be listed.
 *
 * <p>A slice is a base file and logs whose commits completed after the base file's was requested.
 * So the commits are read from the last one back, and once a base file of each group is known,
 * those that were requested and completed before all of these were requested have nothing to add.
 * Before table version 8 completion times are not recorded, and a log can be of a commit that was
 * requested just before the base file's: Hudi's own readers take it that a commit lasts less than a
 * day ({@code CompletionTimeQueryView}).
 */
final class StateFiles {
  private final HoodieTableMetaClient table;
  private final TouchedGroups touched;
  private final Map<HoodieFileGroupId, Map<String, StoragePathInfo>> files = new HashMap<>();

  /** Requested time of the last base file of each group; absent while none is known. */
  private final Map<HoodieFileGroupId, String> bases = new HashMap<>();

  /** Partitions in which archived commits may have written files of the slices. */
  private final Set<String> unknown = new TreeSet<>();

  private StateFiles(
      HoodieTableMetaClient table, TouchedGroups touched, Set<HoodieFileGroupId> groups) {
    this.table = table;
    this.touched = touched;
    groups.forEach(group -> files.put(group, new HashMap<>()));
  }

  /**
   * Collects the files from the metadata of commits.
   *
   * @param groups the file groups
   */
  static StateFiles of(
      HoodieTableMetaClient table,
      TouchedGroups touched,
      CommitsOfRange range,
      Set<HoodieFileGroupId> groups)
      throws IOException {
    StateFiles found = new StateFiles(table, touched, groups);
    found.readBack(range);
    found.distrustArchived();
    return found;
  }

  /** Whether a partition has to be listed, as archived commits may have written files there. */
  boolean mustBeListed(String partition) {
    return unknown.contains(partition);
  }

  /** The files of all the groups. */
  List<StoragePathInfo> all() {
    return files.values().stream()
        .flatMap(ofGroup -> ofGroup.values().stream())
        .collect(Collectors.toList());
  }

  private void readBack(CommitsOfRange range) throws IOException {
    List<HoodieInstant> commits = new ArrayList<>();
    for (HoodieInstant commit :
        table.getCommitsTimeline().filterCompletedInstants().getInstants()) {
      if (range.counts(commit.requestedTime())) {
        commits.add(commit);
      }
    }
    commits.sort(Comparator.comparing(this::lastTime).reversed());
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

  /** When a commit was requested or completed, whichever is later. */
  private String lastTime(HoodieInstant commit) {
    String requested = commit.requestedTime();
    if (!areCompletionsRecorded()) {
      return requested;
    }
    String completed = commit.getCompletionTime();
    return completed.compareTo(requested) > 0 ? completed : requested;
  }

  private boolean areCompletionsRecorded() {
    return table.getTableConfig().getTableVersion().greaterThanOrEquals(HoodieTableVersion.EIGHT);
  }

  /** No log of a slice is of a commit before this time. */
  private String firstLog(String base) {
    return areCompletionsRecorded() ? base : LastCommits.shifted(base, -1).orElse("");
  }

  private String firstBase() {
    return bases.values().stream().min(String::compareTo).orElse("");
  }

  private void add(String partition, HoodieWriteStat stat) {
    HoodieFileGroupId group = new HoodieFileGroupId(partition, stat.getFileId());
    Map<String, StoragePathInfo> ofGroup = files.get(group);
    if (ofGroup == null || stat.getPath() == null) {
      return;
    }
    StoragePath path = FSUtils.constructAbsolutePath(table.getBasePath(), stat.getPath());
    StoragePathInfo file =
        new StoragePathInfo(path, stat.getFileSizeInBytes(), false, (short) 0, 0, 0);
    // Writers of old releases appended to log files: the later commit knows more of them.
    ofGroup.merge(path.getName(), file, StateFiles::longer);
    if (!FSUtils.isLogFile(path)) {
      bases.merge(group, FSUtils.getCommitTime(path.getName()), StateFiles::later);
    }
  }

  private static StoragePathInfo longer(StoragePathInfo one, StoragePathInfo other) {
    return one.getLength() >= other.getLength() ? one : other;
  }

  private static String later(String one, String other) {
    return one.compareTo(other) >= 0 ? one : other;
  }

  /** Archiving begins with the commits that were requested first. */
  private void distrustArchived() {
    String from =
        bases.size() == files.size() ? LastCommits.shifted(firstBase(), -1).orElse("") : "";
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
