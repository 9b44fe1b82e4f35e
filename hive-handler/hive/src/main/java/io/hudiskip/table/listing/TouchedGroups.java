// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.table.listing;

import io.hudiskip.table.commits.LastCommits;
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
 * The file groups that may contain rows of selected commits, from commit metadata.
 *
 * <p>A commit writes rows into the groups that its metadata names. Later updates, deletes and
 * compactions keep a row in its group; only clustering moves it, to a group that the clustering's
 * metadata names. Such a clustering is either selected or was requested before; {@link LastCommits}
 * tells whether its files may have rows of later commits.
 */
final class TouchedGroups {
  private final HoodieTableMetaClient table;
  private final LastCommits lastCommits;
  private final Map<HoodieInstant, HoodieCommitMetadata> read = new HashMap<>();

  TouchedGroups(HoodieTableMetaClient table, LastCommits lastCommits) {
    this.table = table;
    this.lastCommits = lastCommits;
  }

  Set<HoodieFileGroupId> of(SelectedCommits selection) throws IOException {
    Set<HoodieFileGroupId> groups = new HashSet<>();
    for (HoodieInstant commit : selection.commits()) {
      add(groups, commit);
    }
    if (!selection.commits().isEmpty()) {
      addClusterings(groups, selection);
    }
    return groups;
  }

  private void addClusterings(Set<HoodieFileGroupId> groups, SelectedCommits selection)
      throws IOException {
    String first = selection.commits().get(0).requestedTime();
    for (HoodieInstant commit :
        table.getCommitsTimeline().filterCompletedInstants().getInstants()) {
      boolean isClustering = // the action of completed ones depends on the table version
          commit.getAction().equals(HoodieTimeline.REPLACE_COMMIT_ACTION)
              || commit.getAction().equals(HoodieTimeline.CLUSTERING_ACTION);
      if (isClustering
          && selection.includes(commit.requestedTime())
          && lastCommits
              .ofCommit(commit.requestedTime())
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

  HoodieCommitMetadata metadata(HoodieInstant commit) throws IOException {
    HoodieCommitMetadata known = read.get(commit);
    if (known == null) {
      known = TimelineUtils.getCommitMetadata(commit, table.getActiveTimeline());
      read.put(commit, known);
    }
    return known;
  }
}
