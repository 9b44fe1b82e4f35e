/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.commits;

import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hudi.common.model.FileSlice;
import org.apache.hudi.common.table.HoodieTableConfig;
import org.apache.hudi.common.table.HoodieTableMetaClient;
import org.apache.hudi.common.table.HoodieTableVersion;
import org.apache.hudi.common.table.timeline.CompletionTimeQueryView;
import org.apache.hudi.common.table.timeline.HoodieActiveTimeline;
import org.apache.hudi.common.table.timeline.HoodieInstant;
import org.apache.hudi.common.table.timeline.HoodieTimeline;

/**
 * The last commit that can have a row in a file.
 *
 * <p>The rows of a file of commit T are T's own, or copies of rows that were visible when T wrote
 * the file: their commits had completed before T did. Such a commit may still have been requested
 * after T: clustering chooses its instant first, and then, when it has the lock, its files.
 */
public final class LastCommits {
  private static final Pattern INSTANT = Pattern.compile("[0-9]{14}([0-9]{3})?");
  private static final int SECONDS_LENGTH = 14;
  private static final DateTimeFormatter SECONDS = DateTimeFormatter.ofPattern("uuuuMMddHHmmss");

  private final HoodieTableMetaClient table;
  private final boolean isCompletionRecorded;

  /** Whether rows have the time of their commit, and that is the time at which it was requested. */
  private final boolean areTimesOfCommits;

  /** Requested and completion times of the commits on the active timeline. */
  private final NavigableMap<String, String> completions = new TreeMap<>();

  /** From this instant on all commits are on the active timeline, if they were not taken back. */
  private final Optional<String> firstActive;

  /** When a commit was last taken back; its rows may have been copied before. */
  private final Optional<String> lastTakenBack;

  private final Map<String, Optional<String>> known = new HashMap<>();
  private CompletionTimeQueryView archived;

  /** Reads the timeline of a table as it was when the table was opened. */
  public LastCommits(HoodieTableMetaClient table) {
    this.table = table;
    this.isCompletionRecorded = isCompletionRecorded(table.getTableConfig());
    HoodieActiveTimeline timeline = table.getActiveTimeline();
    List<HoodieInstant> commits = timeline.getWriteTimeline().getInstants();
    commits.stream()
        .filter(HoodieInstant::isCompleted)
        .forEach(commit -> completions.put(commit.requestedTime(), commit.getCompletionTime()));
    // Instants that a user made up may be in the future.
    this.areTimesOfCommits =
        table.getTableConfig().populateMetaFields()
            && (!isCompletionRecorded
                || commits.stream()
                    .filter(HoodieInstant::isCompleted)
                    .allMatch(
                        commit ->
                            commit.getCompletionTime().compareTo(commit.requestedTime()) >= 0));
    // Archiving goes from the oldest commit on, and may pass over those that are saved.
    Set<String> saved =
        timeline
            .getSavePointTimeline()
            .getInstantsAsStream()
            .map(HoodieInstant::requestedTime)
            .collect(Collectors.toSet());
    this.firstActive =
        commits.stream()
            .map(HoodieInstant::requestedTime)
            .filter(instant -> !saved.contains(instant))
            .min(String::compareTo);
    this.lastTakenBack =
        timeline
            .getInstantsAsStream()
            .filter(instant -> isTakingBack(instant.getAction()))
            .map(HoodieInstant::requestedTime)
            .max(String::compareTo);
  }

  /** An upgrade of the table makes up completion times of what was there before. */
  private static boolean isCompletionRecorded(HoodieTableConfig config) {
    return config.getTableVersion().greaterThanOrEquals(HoodieTableVersion.EIGHT)
        && config.contains(HoodieTableConfig.INITIAL_VERSION)
        && config.getTableInitialVersion().greaterThanOrEquals(HoodieTableVersion.EIGHT);
  }

  private static boolean isTakingBack(String action) {
    return action.equals(HoodieTimeline.ROLLBACK_ACTION)
        || action.equals(HoodieTimeline.RESTORE_ACTION);
  }

  /**
   * An upper bound of the values of {@code _hoodie_commit_time} in each of some slices; empty where
   * none is known. It is that of the files of a slice together: logs of partial updates put columns
   * of several records into one row, which has the time of one of them.
   */
  synchronized List<Optional<String>> of(List<FileSlice> slices) {
    List<Set<String>> written =
        slices.stream().map(LastCommits::instantsIn).collect(Collectors.toList());
    // The earliest first: what is archived is then read once.
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
   * An upper bound of the values of {@code _hoodie_commit_time} in the base files of a commit;
   * empty if none is known.
   *
   * @param instant requested time of the commit
   */
  public synchronized Optional<String> in(String instant) {
    return areTimesOfCommits ? known.computeIfAbsent(instant, this::last) : Optional.empty();
  }

  /** Before version 8 the name of a log file has the instant of its slice, not of its commit. */
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
      latest = later(latest, last.get());
    }
    return Optional.of(latest);
  }

  private Optional<String> last(String instant) {
    if (!INSTANT.matcher(instant).matches()) {
      return Optional.empty();
    }
    return isCompletionRecorded
        ? completion(instant).map(completion -> lastCompletedUntil(completion, instant))
        : dayAfter(instant).map(day -> lastRequestedUntil(day, instant));
  }

  /** Every commit that had completed is still on the timeline, or may have any earlier instant. */
  private String lastCompletedUntil(String completion, String instant) {
    if (!isKnownAfter(instant)) {
      return later(instant, completion);
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
    return last == null ? instant : later(instant, last);
  }

  /** Whether the timeline has all commits after an instant that ever completed. */
  private boolean isKnownAfter(String instant) {
    return firstActive.filter(first -> first.compareTo(instant) <= 0).isPresent()
        && !lastTakenBack.filter(taken -> taken.compareTo(instant) > 0).isPresent();
  }

  private Optional<String> completion(String instant) {
    String active = completions.get(instant);
    if (active != null) {
      return Optional.of(active);
    }
    if (firstActive.filter(first -> first.compareTo(instant) <= 0).isPresent()) {
      return Optional.empty(); // of a commit that is pending, or not there any more
    }
    if (archived == null) {
      archived =
          table
              .getTimelineLayout()
              .getTimelineFactory()
              .createCompletionTimeQueryView(table, instant);
    }
    return archived.getCompletionTime(instant).toJavaOptional();
  }

  /**
   * Before version 8 no completion times are recorded. Hudi's own readers take it that no commit
   * takes more than a day ({@code CompletionTimeQueryView}), and here it is a shorter time that
   * matters: that between the choice of a commit's instant and of the files that it copies.
   */
  private static Optional<String> dayAfter(String instant) {
    return shifted(instant, 1);
  }

  /**
   * The instant a number of days later, or earlier; empty for one that is no time, such as that of
   * a bootstrap.
   */
  public static Optional<String> shifted(String instant, int days) {
    try {
      LocalDateTime time =
          LocalDateTime.parse(instant.substring(0, SECONDS_LENGTH), SECONDS).plusDays(days);
      String millis = instant.length() > SECONDS_LENGTH ? instant.substring(SECONDS_LENGTH) : "999";
      return Optional.of(SECONDS.format(time) + millis);
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  private static String later(String one, String other) {
    return one.compareTo(other) >= 0 ? one : other;
  }
}
