/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.catalogue;

import io.hudiskip.index.SeenTimeline;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
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
import org.apache.hudi.exception.HoodieException;

/**
 * Which partitions commits have changed since an index was updated. The rules are those by which
 * the index itself is updated ({@code pycompiler.table.changes}).
 */
final class TimelineChanges {
  private static final Set<String> COMMITS =
      setOf(
          HoodieTimeline.COMMIT_ACTION,
          HoodieTimeline.DELTA_COMMIT_ACTION,
          HoodieTimeline.REPLACE_COMMIT_ACTION);
  private static final Set<String> HARMLESS =
      setOf(
          HoodieTimeline.CLEAN_ACTION,
          HoodieTimeline.SAVEPOINT_ACTION,
          HoodieTimeline.INDEXING_ACTION);
  private static final Set<String> UNDOING =
      setOf(HoodieTimeline.ROLLBACK_ACTION, HoodieTimeline.RESTORE_ACTION);

  /** Beyond as many commits, reading them takes longer than listing. */
  private static final int MOST_COMMITS = 100;

  private static final Pattern COMPLETED = Pattern.compile("([0-9]+)(?:_[0-9]+)?\\.([a-z]+)");

  private final HoodieTableMetaClient table;
  private final SeenTimeline seen;
  private final List<HoodieInstant> instants;

  /** Commits that are completed, by the names of their files. */
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
   * The partitions that commits have written to or taken file groups from. All others have the
   * files that they had when the index was updated.
   *
   * @param table as it was opened after the index
   * @param seen what the index has seen
   * @throws UnknownChangesException when the timeline does not say it
   */
  static Set<String> partitionsSince(HoodieTableMetaClient table, SeenTimeline seen)
      throws UnknownChangesException {
    return new TimelineChanges(table, seen).partitions();
  }

  private Set<String> partitions() throws UnknownChangesException {
    requireNothingUndone();
    requireAllSince();
    Set<String> partitions = new TreeSet<>();
    List<HoodieInstant> since =
        commits.entrySet().stream()
            .filter(commit -> !seen.completed().contains(commit.getKey()))
            .map(Map.Entry::getValue)
            .collect(Collectors.toList());
    if (since.size() > MOST_COMMITS) {
      throw new UnknownChangesException(since.size() + " commits since the index was updated");
    }
    for (HoodieInstant commit : since) {
      addPartitions(commit, partitions);
    }
    return partitions;
  }

  private void addPartitions(HoodieInstant commit, Set<String> partitions)
      throws UnknownChangesException {
    try {
      HoodieCommitMetadata metadata =
          TimelineUtils.getCommitMetadata(commit, table.getActiveTimeline());
      partitions.addAll(metadata.getPartitionToWriteStats().keySet());
      if (metadata instanceof HoodieReplaceCommitMetadata) {
        partitions.addAll(
            ((HoodieReplaceCommitMetadata) metadata).getPartitionToReplaceFileIds().keySet());
      }
    } catch (IOException | HoodieException e) {
      throw new UnknownChangesException(commit + " cannot be read: " + e.getMessage(), e);
    }
  }

  private void requireNothingUndone() throws UnknownChangesException {
    InstantFileNameGenerator names = table.getInstantFileNameGenerator();
    for (HoodieInstant instant : instants) {
      String action = instant.getAction();
      if (!instant.isCompleted()) {
        if (UNDOING.contains(action)) {
          throw new UnknownChangesException(instant + " is under way");
        }
      } else if (!HARMLESS.contains(action)
          && !COMMITS.contains(action)
          && !seen.completed().contains(names.getFileName(instant))) {
        throw new UnknownChangesException(
            UNDOING.contains(action)
                ? instant + " has taken commits back"
                : instant + " is of an unknown kind");
      }
    }
  }

  /**
   * Makes sure that nothing was archived unseen, and that nothing seen was taken back.
   *
   * <p>Archiving goes from the oldest commit on, and may pass over savepoints. So while the last
   * commit that was seen is there and no savepoint, all later ones are; and an earlier one that was
   * still pending is known.
   */
  private void requireAllSince() throws UnknownChangesException {
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
      throw new UnknownChangesException("the index has seen no commit yet");
    }
    Set<String> saved = requestedTimes(HoodieTimeline.SAVEPOINT_ACTION);
    if (!commits.containsKey(last)) {
      throw new UnknownChangesException(
          last + ", the last that the index has seen, is not on the timeline");
    }
    if (saved.contains(known.get(last))) {
      throw new UnknownChangesException(
          last + ", the last that the index has seen, is a savepoint");
    }
    String oldest =
        commits.values().stream()
            .map(HoodieInstant::requestedTime)
            .filter(instant -> !saved.contains(instant))
            .min(String::compareTo)
            .get(); // at least the last that was seen
    for (Map.Entry<String, String> entry : known.entrySet()) {
      if (!commits.containsKey(entry.getKey()) && entry.getValue().compareTo(oldest) > 0) {
        throw new UnknownChangesException(entry.getKey() + " was taken back");
      }
    }
    Set<String> there =
        instants.stream()
            .filter(instant -> !HARMLESS.contains(instant.getAction()))
            .filter(instant -> !UNDOING.contains(instant.getAction()))
            .map(HoodieInstant::requestedTime)
            .collect(Collectors.toSet());
    for (String instant : seen.pending()) {
      if (!there.contains(instant)) {
        throw new UnknownChangesException(
            instant + ", which was pending, was archived or taken back");
      }
    }
  }

  private Set<String> requestedTimes(String action) {
    return instants.stream()
        .filter(instant -> instant.getAction().equals(action))
        .map(HoodieInstant::requestedTime)
        .collect(Collectors.toSet());
  }

  private static Set<String> setOf(String... values) {
    return Collections.unmodifiableSet(new HashSet<>(Arrays.asList(values)));
  }
}
