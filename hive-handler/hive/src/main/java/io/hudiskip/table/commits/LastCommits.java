// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.table.commits;

import io.hudiskip.table.version.HudiVersions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.hudi.common.model.FileSlice;
import org.apache.hudi.common.table.HoodieTableMetaClient;
import org.apache.hudi.common.table.timeline.CompletionTimeQueryView;
import org.apache.hudi.common.table.timeline.HoodieActiveTimeline;
import org.apache.hudi.common.table.timeline.HoodieInstant;

/**
 * The last commit that can have a row in a file.
 *
 * <p>Rows in a file of commit T are T's own, or copies of rows visible when T wrote the file, so
 * their commits had completed before T did. Such a commit may still have been requested after T:
 * clustering chooses its instant first and its files later, when it holds the lock.
 */
public final class LastCommits {
  /**
   * Completion times are not recorded before version 8. Hudi's own readers assume that commits take
   * less than a day ({@code CompletionTimeQueryView}); only the shorter time between choosing an
   * instant and the files to copy matters here.
   */
  private static final int LONGEST_COMMIT_DAYS = 1;

  private final HoodieTableMetaClient table;
  private final boolean isCompletionRecorded;

  /** Whether rows record their commit's requested time. */
  private final boolean areTimesOfCommits;

  /** Requested and completion times of commits on the active timeline. */
  private final NavigableMap<String, String> completions = new TreeMap<>();

  /** From this instant on, the active timeline has all commits that were not undone. */
  private final Optional<String> firstActive;

  /** When a commit was last undone; its rows may have been copied before. */
  private final Optional<String> lastUndone;

  private final Map<String, Optional<String>> known = new HashMap<>();
  private CompletionTimeQueryView archived;

  public LastCommits(HoodieTableMetaClient table) {
    this.table = table;
    this.isCompletionRecorded = HudiVersions.recordsAllCompletionTimes(table.getTableConfig());
    HoodieActiveTimeline timeline = table.getActiveTimeline();
    List<HoodieInstant> commits = timeline.getWriteTimeline().getInstants();
    commits.stream()
        .filter(HoodieInstant::isCompleted)
        .forEach(commit -> completions.put(commit.requestedTime(), commit.getCompletionTime()));
    // User-supplied instants may be in the future.
    this.areTimesOfCommits =
        table.getTableConfig().populateMetaFields()
            && (!isCompletionRecorded
                || commits.stream()
                    .filter(HoodieInstant::isCompleted)
                    .allMatch(
                        commit ->
                            commit.getCompletionTime().compareTo(commit.requestedTime()) >= 0));
    Set<String> saved = Instants.saved(table);
    this.firstActive =
        commits.stream()
            .map(HoodieInstant::requestedTime)
            .filter(instant -> !saved.contains(instant))
            .min(String::compareTo);
    this.lastUndone =
        timeline
            .getRollbackAndRestoreTimeline()
            .getInstantsAsStream()
            .map(HoodieInstant::requestedTime)
            .max(String::compareTo);
  }

  /**
   * Upper bounds of {@code _hoodie_commit_time} in slices; empty where unknown. A bound covers all
   * files of a slice, since logs of partial updates combine records into one row that has the time
   * of one of them.
   */
  synchronized List<Optional<String>> of(List<FileSlice> slices) {
    List<Set<String>> written =
        slices.stream().map(LastCommits::instantsIn).collect(Collectors.toList());
    // Earliest first, so the archive is read once.
    written.stream()
        .flatMap(Set::stream)
        .sorted()
        .forEach(instant -> known.computeIfAbsent(instant, this::last));
    List<Optional<String>> bounds = new ArrayList<>();
    for (int i = 0; i < slices.size(); i++) {
      bounds.add(isUsable(slices.get(i)) ? latest(written.get(i)) : Optional.empty());
    }
    return bounds;
  }

  private static Set<String> instantsIn(FileSlice slice) {
    Set<String> instants = new TreeSet<>();
    slice.getBaseFile().ifPresent(base -> instants.add(base.getCommitTime()));
    slice.getLogFiles().forEach(log -> instants.add(log.getDeltaCommitTime()));
    return instants;
  }

  /**
   * An upper bound of {@code _hoodie_commit_time} in the base files of the commit requested at
   * {@code instant}; empty if unknown.
   */
  public synchronized Optional<String> ofCommit(String instant) {
    return areTimesOfCommits ? known.computeIfAbsent(instant, this::last) : Optional.empty();
  }

  /** Before version 8, a log file's name has the instant of its slice, not its commit. */
  private boolean isUsable(FileSlice slice) {
    return areTimesOfCommits && !slice.isEmpty() && (isCompletionRecorded || !slice.hasLogFiles());
  }

  private Optional<String> latest(Set<String> instants) {
    String latest = "";
    for (String instant : instants) {
      Optional<String> last = known.get(instant);
      if (!last.isPresent()) {
        return Optional.empty();
      }
      latest = Instants.later(latest, last.get());
    }
    return Optional.of(latest);
  }

  private Optional<String> last(String instant) {
    if (!Instants.isInstant(instant)) {
      return Optional.empty();
    }
    return isCompletionRecorded
        ? completion(instant).map(completion -> lastCompletedUntil(completion, instant))
        : Instants.shifted(instant, LONGEST_COMMIT_DAYS)
            .map(day -> lastRequestedUntil(day, instant));
  }

  /** Each commit that had completed is on the timeline, or may have any earlier instant. */
  private String lastCompletedUntil(String completion, String instant) {
    if (!isKnownAfter(instant)) {
      return Instants.later(instant, completion);
    }
    String last = instant;
    for (Map.Entry<String, String> commit : completions.tailMap(instant, false).entrySet()) {
      if (commit.getValue().compareTo(completion) <= 0) {
        last = commit.getKey();
      }
    }
    return last;
  }

  private String lastRequestedUntil(String limit, String instant) {
    if (!isKnownAfter(instant)) {
      return limit;
    }
    String last = completions.floorKey(limit);
    return last == null ? instant : Instants.later(instant, last);
  }

  /** Whether the timeline has every commit after an instant that ever completed. */
  private boolean isKnownAfter(String instant) {
    return firstActive.filter(first -> first.compareTo(instant) <= 0).isPresent()
        && !lastUndone.filter(undone -> undone.compareTo(instant) > 0).isPresent();
  }

  private Optional<String> completion(String instant) {
    String active = completions.get(instant);
    if (active != null) {
      return Optional.of(active);
    }
    if (firstActive.filter(first -> first.compareTo(instant) <= 0).isPresent()) {
      return Optional.empty(); // the commit is pending or gone
    }
    if (archived == null) {
      archived =
          table.getTimelineLayout().getTimelineFactory().createCompletionTimeQueryView(table);
    }
    return archived.getCompletionTime(instant).toJavaOptional();
  }
}
