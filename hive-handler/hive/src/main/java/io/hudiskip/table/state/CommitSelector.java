// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.table.state;

import io.hudiskip.table.UnreadableTableException;
import io.hudiskip.table.commits.Instants;
import io.hudiskip.table.listing.SelectedCommits;
import io.hudiskip.table.version.HudiVersions;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hudi.common.table.HoodieTableMetaClient;
import org.apache.hudi.common.table.timeline.HoodieInstant;
import org.apache.hudi.common.table.timeline.HoodieTimeline;

/** Selects the commits whose rows an incremental query reads, by its settings. */
final class CommitSelector {
  private CommitSelector() {}

  /** The completed commits of a range. */
  static SelectedCommits select(HoodieTableMetaClient table, QuerySettings settings)
      throws UnreadableTableException {
    String start = settings.start();
    String end = settings.end();
    boolean isFromBeginning = QuerySettings.isBeginning(start);
    if (!isFromBeginning) {
      requireInstant(start, "the start of an incremental query");
    }
    if (!end.isEmpty()) {
      requireInstant(end, "the end of an incremental query");
      if (!isFromBeginning && Instants.padded(end).compareTo(start) < 0) {
        throw new UnreadableTableException(
            String.format(
                "the incremental query of %s ends at %s, before it starts at %s",
                table.getBasePath(), end, start));
      }
    }
    boolean byCompletion = settings.isByCompletion();
    if (byCompletion && !HudiVersions.recordsCompletionTimes(table.getTableConfig())) {
      throw new UnreadableTableException(
          table.getBasePath()
              + " has a table version below 8, which does not record when commits completed:"
              + " set the range to requested");
    }
    // A start of requested times is exclusive, so the range begins at the next greater text.
    String first = isFromBeginning ? "" : byCompletion ? start : Instants.padded(start) + '0';
    requireActive(table, isFromBeginning ? "" : start, byCompletion);
    List<HoodieInstant> completed =
        table.getCommitsTimeline().filterCompletedInstants().getInstants();
    List<HoodieInstant> selected =
        completed.stream()
            .filter(commit -> time(commit, byCompletion).compareTo(first) >= 0)
            .filter(
                commit ->
                    end.isEmpty()
                        || time(commit, byCompletion).compareTo(Instants.padded(end)) <= 0)
            .sorted(Comparator.comparing(commit -> time(commit, byCompletion)))
            .limit(settings.maxCommits())
            .collect(Collectors.toList());
    String until = selected.isEmpty() ? "" : time(selected.get(selected.size() - 1), byCompletion);
    return new SelectedCommits(
        selected.stream()
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

  static void requireInstant(String instant, String what) throws UnreadableTableException {
    if (!Instants.isInstant(instant)) {
      throw new UnreadableTableException(
          String.format(
              "%s is %s, which is not a Hudi instant: use the format yyyyMMddHHmmssSSS, like"
                  + " the values of _hoodie_commit_time",
              what, instant));
    }
  }

  /**
   * Checks that no commit of a range is archived, since its files would be unknown.
   *
   * @param start of the range, exclusive for requested times; empty for the beginning of the table
   */
  private static void requireActive(HoodieTableMetaClient table, String start, boolean byCompletion)
      throws UnreadableTableException {
    HoodieTimeline active = table.getCommitsTimeline().filterCompletedInstants();
    // Commits are archived in order of requested time: one that completed late may be gone while
    // others that completed before the range remain.
    Set<String> saved = Instants.saved(table);
    boolean isWithin =
        !byCompletion
            && !start.isEmpty()
            && active
                .getInstantsAsStream()
                .map(HoodieInstant::requestedTime)
                .anyMatch(
                    instant ->
                        !saved.contains(instant) && instant.compareTo(Instants.padded(start)) <= 0);
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
                            : commit.requestedTime().compareTo(Instants.padded(start)) > 0));
    if (isAnyArchived) {
      throw new UnreadableTableException(
          "commits after "
              + (start.isEmpty() ? "the beginning" : start)
              + " have been archived, so their rows cannot be told apart from rows of later commits."
              + " Start at "
              + active
                  .firstInstant()
                  .map(instant -> instant.requestedTime() + " or later")
                  .orElse("a later instant")
              + ", or read the whole table and compare _hoodie_commit_time");
    }
  }
}
