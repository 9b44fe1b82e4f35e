// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.table.listing;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hudi.common.table.timeline.HoodieInstant;

/** The commits whose rows an incremental query reads, and the state of the table that has them. */
public final class SelectedCommits {
  private final List<HoodieInstant> commits;
  private final Set<String> later;
  private final String until;

  /**
   * Creates a selection.
   *
   * @param commits completed, on the active timeline, in order of requested time
   * @param later completed commits that the state excludes
   * @param until no commit of the state was requested after this time; empty if there are no
   *     commits
   */
  public SelectedCommits(
      List<HoodieInstant> commits, Collection<HoodieInstant> later, String until) {
    this.commits = Collections.unmodifiableList(new ArrayList<>(commits));
    this.later = requestedTimes(later);
    this.until = until;
  }

  public List<HoodieInstant> commits() {
    return commits;
  }

  /** The requested values of {@code _hoodie_commit_time}. */
  public Set<String> requestedTimes() {
    return requestedTimes(commits);
  }

  private static Set<String> requestedTimes(Collection<HoodieInstant> commits) {
    return commits.stream().map(HoodieInstant::requestedTime).collect(Collectors.toSet());
  }

  /** Log blocks requested up to this time are part of the state. */
  public String until() {
    return until;
  }

  /** Whether the state includes the commit with this requested time. */
  boolean includes(String requestedTime) {
    return !later.contains(requestedTime);
  }
}
