// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.table.source;

import io.hudiskip.index.SeenTimeline;
import io.hudiskip.table.commits.Instants;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hudi.common.model.HoodieCommitMetadata;
import org.apache.hudi.common.model.HoodieReplaceCommitMetadata;
import org.apache.hudi.common.table.HoodieTableMetaClient;
import org.apache.hudi.common.table.timeline.HoodieInstant;
import org.apache.hudi.common.table.timeline.HoodieTimeline;
import org.apache.hudi.common.table.timeline.InstantFileNameGenerator;
import org.apache.hudi.common.table.timeline.TimelineUtils;
import org.apache.hudi.common.util.CollectionUtils;
import org.apache.hudi.exception.HoodieException;

/**
 * Finds the partitions that commits have changed since an index was updated, by the rules of the
 * index's own updates ({@code pycompiler.table.changes}).
 */
final class TimelineChanges {
  private static final Set<String> COMMITS =
      CollectionUtils.createImmutableSet(
          HoodieTimeline.COMMIT_ACTION,
          HoodieTimeline.DELTA_COMMIT_ACTION,
          HoodieTimeline.REPLACE_COMMIT_ACTION);
  private static final Set<String> HARMLESS =
      CollectionUtils.createImmutableSet(
          HoodieTimeline.CLEAN_ACTION,
          HoodieTimeline.SAVEPOINT_ACTION,
          HoodieTimeline.INDEXING_ACTION);
  private static final Set<String> UNDOING =
      CollectionUtils.createImmutableSet(
          HoodieTimeline.ROLLBACK_ACTION, HoodieTimeline.RESTORE_ACTION);

  /** Above this many commits, reading them takes longer than listing. */
  private static final int MAX_COMMITS = 100;

  private static final Pattern COMPLETED = Pattern.compile("([0-9]+)(?:_[0-9]+)?\\.([a-z]+)");

  private final HoodieTableMetaClient table;
  private final SeenTimeline seen;
  private final List<HoodieInstant> instants;

  /** Completed commits by file name. */
  private final Map<String, HoodieInstant> commits = new HashMap<>();

  private TimelineChanges(HoodieTableMetaClient table, SeenTimeline seen) {
    this.table = table;
    this.seen = seen;
    this.instants = table.getActiveTimeline().getInstants();
    InstantFileNameGenerator names = table.getInstantFileNameGenerator();
    for (HoodieInstant instant : instants) {
      if (instant.isCompleted() && COMMITS.contains(instant.getAction())) {
        commits.put(names.getFileName(instant), instant);
      }
    }
  }

  /**
   * The partitions that commits have written to or removed file groups from. All others still have
   * the files that they had when the index was updated.
   *
   * @param table opened after the index
   */
  static Set<String> partitionsSince(HoodieTableMetaClient table, SeenTimeline seen)
      throws SourceUnavailableException {
    return new TimelineChanges(table, seen).partitions();
  }

  /** Number of completed commits that the index has not seen. */
  static int commitsSince(HoodieTableMetaClient table, SeenTimeline seen) {
    return new TimelineChanges(table, seen).unseen().size();
  }

  private List<HoodieInstant> unseen() {
    return commits.entrySet().stream()
        .filter(commit -> !seen.completed().contains(commit.getKey()))
        .map(Map.Entry::getValue)
        .collect(Collectors.toList());
  }

  private Set<String> partitions() throws SourceUnavailableException {
    requireNothingUndone();
    requireAllSince();
    Set<String> partitions = new TreeSet<>();
    List<HoodieInstant> since = unseen();
    if (since.size() > MAX_COMMITS) {
      throw new SourceUnavailableException(
          since.size() + " commits since the index was updated, more than " + MAX_COMMITS);
    }
    for (HoodieInstant commit : since) {
      addPartitions(commit, partitions);
    }
    return partitions;
  }

  private void addPartitions(HoodieInstant commit, Set<String> partitions)
      throws SourceUnavailableException {
    try {
      HoodieCommitMetadata metadata =
          TimelineUtils.getCommitMetadata(commit, table.getActiveTimeline());
      partitions.addAll(metadata.getPartitionToWriteStats().keySet());
      if (metadata instanceof HoodieReplaceCommitMetadata) {
        partitions.addAll(
            ((HoodieReplaceCommitMetadata) metadata).getPartitionToReplaceFileIds().keySet());
      }
    } catch (IOException | HoodieException e) {
      throw new SourceUnavailableException("cannot read " + commit + ": " + e.getMessage(), e);
    }
  }

  private void requireNothingUndone() throws SourceUnavailableException {
    InstantFileNameGenerator names = table.getInstantFileNameGenerator();
    for (HoodieInstant instant : instants) {
      String action = instant.getAction();
      if (!instant.isCompleted()) {
        if (UNDOING.contains(action)) {
          throw new SourceUnavailableException(instant + " is in progress");
        }
      } else if (!HARMLESS.contains(action)
          && !COMMITS.contains(action)
          && !seen.completed().contains(names.getFileName(instant))) {
        throw new SourceUnavailableException(
            UNDOING.contains(action)
                ? instant + " undid commits"
                : instant + " is of an unknown kind");
      }
    }
  }

  /**
   * Checks that nothing was archived unseen, and that nothing seen was undone.
   *
   * <p>Archiving proceeds from the oldest commit and may skip savepoints. So while the last seen
   * commit exists and is not a savepoint, all later ones exist, and an earlier one that was pending
   * is known.
   */
  private void requireAllSince() throws SourceUnavailableException {
    Map<String, String> known = new HashMap<>();
    String last = null;
    for (String name : seen.completed()) {
      Matcher parts = COMPLETED.matcher(name);
      if (parts.matches() && COMMITS.contains(parts.group(2))) {
        known.put(name, parts.group(1));
        last = last == null || parts.group(1).compareTo(known.get(last)) > 0 ? name : last;
      }
    }
    if (last == null) {
      throw new SourceUnavailableException("the index covers no commit yet");
    }
    Set<String> saved = Instants.saved(table);
    if (!commits.containsKey(last)) {
      throw new SourceUnavailableException(
          last + ", the last commit that the index covers, is not on the timeline");
    }
    if (saved.contains(known.get(last))) {
      throw new SourceUnavailableException(
          last + ", the last commit that the index covers, has a savepoint");
    }
    String oldest =
        commits.values().stream()
            .map(HoodieInstant::requestedTime)
            .filter(instant -> !saved.contains(instant))
            .min(String::compareTo)
            .get(); // at least the last seen
    for (Map.Entry<String, String> entry : known.entrySet()) {
      if (!commits.containsKey(entry.getKey()) && entry.getValue().compareTo(oldest) > 0) {
        throw new SourceUnavailableException(entry.getKey() + " was undone");
      }
    }
    Set<String> present =
        instants.stream()
            .filter(instant -> !HARMLESS.contains(instant.getAction()))
            .filter(instant -> !UNDOING.contains(instant.getAction()))
            .map(HoodieInstant::requestedTime)
            .collect(Collectors.toSet());
    for (String instant : seen.pending()) {
      if (!present.contains(instant)) {
        throw new SourceUnavailableException(
            instant + ", which was pending, was archived or undone");
      }
    }
  }
}
