/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.listing;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hudi.common.table.timeline.HoodieInstant;

/** The commits of an incremental query, and the state of the table at the end of their range. */
public final class CommitsOfRange {
  private final List<HoodieInstant> commits;
  private final Set<String> later;
  private final String until;

  /**
   * @param commits of the range: completed, on the active timeline, in the order of their requested
   *     times
   * @param later the completed commits that came after the range's end, and so do not count in the
   *     state at its end
   * @param until a time that no counted commit was requested after; empty if there are no commits
   */
  public CommitsOfRange(
      List<HoodieInstant> commits, Collection<HoodieInstant> later, String until) {
    this.commits = Collections.unmodifiableList(new ArrayList<>(commits));
    this.later =
        later.stream()
            .map(HoodieInstant::requestedTime)
            .collect(Collectors.toCollection(HashSet::new));
    this.until = until;
  }

  /** The commits whose rows are asked for. */
  public List<HoodieInstant> commits() {
    return commits;
  }

  /** The values of {@code _hoodie_commit_time} that are asked for. */
  public Set<String> requestedTimes() {
    return commits.stream().map(HoodieInstant::requestedTime).collect(Collectors.toSet());
  }

  /** Log blocks that were requested until this time count. */
  public String until() {
    return until;
  }

  /** Whether the commit that was requested at a time counts in the state at the range's end. */
  boolean counts(String requestedTime) {
    return !later.contains(requestedTime);
  }
}
