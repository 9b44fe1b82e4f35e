/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.mode;

import io.hudiskip.hive.listing.CommitsOfRange;
import io.hudiskip.hive.table.UnreadableTableException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hudi.common.table.HoodieTableMetaClient;
import org.apache.hudi.common.table.HoodieTableVersion;
import org.apache.hudi.common.table.timeline.HoodieInstant;
import org.apache.hudi.common.table.timeline.HoodieTimeline;
import org.apache.hudi.common.table.timeline.TimelineUtils;
import org.apache.hudi.exception.HoodieException;

/** The commits of a table whose rows an incremental query reads. */
final class CommitRange {
  private static final Pattern INSTANT = Pattern.compile("[0-9]{14}([0-9]{3})?");

  private CommitRange() {}

  /**
   * The completed commits of a range.
   *
   * @throws UnreadableTableException when the range is no range, or its commits are not all known
   */
  static CommitsOfRange of(HoodieTableMetaClient table, QuerySettings settings)
      throws UnreadableTableException {
    String start = settings.start();
    String end = settings.end();
    boolean isFromBeginning = QuerySettings.isBeginning(start);
    if (!isFromBeginning) {
      requireInstant(start, "the start of an incremental query");
    }
    if (!end.isEmpty()) {
      requireInstant(end, "the end of an incremental query");
      if (!isFromBeginning && padded(end).compareTo(start) < 0) {
        throw new UnreadableTableException(
            "the incremental query of "
                + table.getBasePath()
                + " ends at "
                + end
                + ", before it starts at "
                + start);
      }
    }
    boolean byCompletion = settings.isByCompletion();
    if (byCompletion
        && !table
            .getTableConfig()
            .getTableVersion()
            .greaterThanOrEquals(HoodieTableVersion.EIGHT)) {
      throw new UnreadableTableException(
          table.getBasePath()
              + " is of a table version below 8, which does not record when commits completed:"
              + " give a range of requested times");
    }
    String first = isFromBeginning ? "" : byCompletion ? start : after(start);
    requireActive(table, isFromBeginning ? "" : start, byCompletion);
    List<HoodieInstant> completed =
        table.getCommitsTimeline().filterCompletedInstants().getInstants();
    List<HoodieInstant> commits = new ArrayList<>();
    for (HoodieInstant commit : completed) {
      String time = time(commit, byCompletion);
      if (time.compareTo(first) >= 0 && (end.isEmpty() || time.compareTo(padded(end)) <= 0)) {
        commits.add(commit);
      }
    }
    commits.sort(Comparator.comparing(commit -> time(commit, byCompletion)));
    List<HoodieInstant> taken = commits.subList(0, Math.min(commits.size(), settings.maxCommits()));
    String until = taken.isEmpty() ? "" : time(taken.get(taken.size() - 1), byCompletion);
    return new CommitsOfRange(
        taken.stream()
            .sorted(Comparator.comparing(HoodieInstant::requestedTime))
            .collect(Collectors.toList()),
        completed.stream()
            .filter(commit -> time(commit, byCompletion).compareTo(until) > 0)
            .collect(Collectors.toList()),
        until);
  }

  private static String time(HoodieInstant commit, boolean byCompletion) {
    return byCompletion ? commit.getCompletionTime() : commit.requestedTime();
  }

  /** The least text after an instant: one to the second stands for all of its milliseconds. */
  private static String after(String instant) {
    return padded(instant) + '0';
  }

  private static String padded(String instant) {
    return instant.length() == 14 ? instant + "999" : instant;
  }

  static void requireInstant(String instant, String what) throws UnreadableTableException {
    if (!INSTANT.matcher(instant).matches()) {
      throw new UnreadableTableException(
          what
              + " is "
              + instant
              + ", which is no instant of Hudi: give one as yyyyMMddHHmmssSSS, such as the values"
              + " of _hoodie_commit_time");
    }
  }

  static void requireCompleted(HoodieTableMetaClient table, String instant)
      throws UnreadableTableException {
    HoodieTimeline commits = table.getCommitsTimeline().filterCompletedInstants();
    if (!commits.containsInstant(instant)) {
      throw new UnreadableTableException(
          instant
              + " is no completed commit of "
              + table.getBasePath()
              + (commits.empty()
                  ? ", which has none"
                  : ", whose timeline goes from "
                      + commits.firstInstant().get().requestedTime()
                      + " to "
                      + commits.lastInstant().get().requestedTime())
              + ". Give one of its commits, or a time by FOR SYSTEM_TIME AS OF");
    }
  }

  static void requireRetained(HoodieTableMetaClient table, String instant)
      throws UnreadableTableException {
    try {
      TimelineUtils.validateTimestampAsOf(table, instant);
    } catch (HoodieException | IllegalArgumentException e) {
      throw new UnreadableTableException(
          "the state of "
              + table.getBasePath()
              + " as of "
              + instant
              + " cannot be read: "
              + e.getMessage(),
          e);
    }
  }

  /**
   * Makes sure that no commit of a range was archived: its files are not known any more.
   *
   * @param start of the range, exclusive for requested times; empty for the beginning of the table
   */
  private static void requireActive(HoodieTableMetaClient table, String start, boolean byCompletion)
      throws UnreadableTableException {
    HoodieTimeline active = table.getCommitsTimeline().filterCompletedInstants();
    // Commits are archived from the oldest on, by the times at which they were requested: one that
    // completed late may be gone while others that completed before the range are there. Those that
    // are saved may be passed over.
    Set<String> saved =
        table
            .getActiveTimeline()
            .getSavePointTimeline()
            .getInstantsAsStream()
            .map(HoodieInstant::requestedTime)
            .collect(Collectors.toSet());
    boolean isWithin =
        !byCompletion
            && !start.isEmpty()
            && active
                .getInstantsAsStream()
                .map(HoodieInstant::requestedTime)
                .anyMatch(
                    instant -> !saved.contains(instant) && instant.compareTo(padded(start)) <= 0);
    if (isWithin) {
      return;
    }
    boolean isAnyArchived =
        table
            .getArchivedTimeline()
            .getCommitsTimeline()
            .filterCompletedInstants()
            .getInstantsAsStream()
            .anyMatch(
                commit ->
                    start.isEmpty()
                        || (byCompletion
                            ? commit.getCompletionTime().compareTo(start) >= 0
                            : commit.requestedTime().compareTo(padded(start)) > 0));
    if (isAnyArchived) {
      throw new UnreadableTableException(
          "commits after "
              + (start.isEmpty() ? "the beginning" : start)
              + " have been archived, and the rows that they wrote cannot be told from later ones"
              + ". Start at "
              + active.firstInstant().map(HoodieInstant::requestedTime).orElse("a later instant")
              + " or later, or read the whole table and compare _hoodie_commit_time");
    }
  }
}
