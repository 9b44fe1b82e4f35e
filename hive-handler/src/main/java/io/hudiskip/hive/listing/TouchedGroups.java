/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.listing;

import io.hudiskip.hive.commits.LastCommits;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.hudi.common.model.HoodieCommitMetadata;
import org.apache.hudi.common.model.HoodieFileGroupId;
import org.apache.hudi.common.table.HoodieTableMetaClient;
import org.apache.hudi.common.table.timeline.HoodieInstant;
import org.apache.hudi.common.table.timeline.HoodieTimeline;
import org.apache.hudi.common.table.timeline.TimelineUtils;

/**
 * The file groups that may contain rows of the commits of a range, by the metadata of commits.
 *
 * <p>A commit writes its rows into the groups that its metadata names. Afterwards updates, deletes
 * and compactions leave a row in its group; only clustering moves it to another, which the metadata
 * of the clustering names. A clustering that counts is either in the range, or was requested before
 * it; {@link LastCommits} says whether its files can have rows of later commits.
 */
final class TouchedGroups {
  private final HoodieTableMetaClient table;
  private final Map<HoodieInstant, HoodieCommitMetadata> read = new HashMap<>();

  TouchedGroups(HoodieTableMetaClient table) {
    this.table = table;
  }

  /** The groups that can have rows of the commits of a range. */
  Set<HoodieFileGroupId> of(CommitsOfRange range) throws IOException {
    Set<HoodieFileGroupId> groups = new HashSet<>();
    for (HoodieInstant commit : range.commits()) {
      add(groups, commit);
    }
    if (!range.commits().isEmpty()) {
      addClusterings(groups, range);
    }
    return groups;
  }

  private void addClusterings(Set<HoodieFileGroupId> groups, CommitsOfRange range)
      throws IOException {
    String first = range.commits().get(0).requestedTime();
    LastCommits lastCommits = new LastCommits(table);
    for (HoodieInstant commit :
        table.getCommitsTimeline().filterCompletedInstants().getInstants()) {
      boolean isClustering = // completed ones have either action, by the table's version
          commit.getAction().equals(HoodieTimeline.REPLACE_COMMIT_ACTION)
              || commit.getAction().equals(HoodieTimeline.CLUSTERING_ACTION);
      if (isClustering
          && range.counts(commit.requestedTime())
          && lastCommits
              .in(commit.requestedTime())
              .map(last -> last.compareTo(first) >= 0)
              .orElse(true)) {
        add(groups, commit);
      }
    }
  }

  private void add(Set<HoodieFileGroupId> groups, HoodieInstant commit) throws IOException {
    metadata(commit)
        .getPartitionToWriteStats()
        .forEach(
            (partition, stats) ->
                stats.forEach(
                    stat -> groups.add(new HoodieFileGroupId(partition, stat.getFileId()))));
  }

  /** The metadata of a commit, read once. */
  HoodieCommitMetadata metadata(HoodieInstant commit) throws IOException {
    HoodieCommitMetadata known = read.get(commit);
    if (known == null) {
      known = TimelineUtils.getCommitMetadata(commit, table.getActiveTimeline());
      read.put(commit, known);
    }
    return known;
  }
}
