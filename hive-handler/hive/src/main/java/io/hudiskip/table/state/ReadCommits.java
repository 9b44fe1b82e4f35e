// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.table.state;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import javax.annotation.Nullable;

/** Which records of file slices a query reads. Immutable. */
public final class ReadCommits {
  private final String instant;
  @Nullable private final Set<String> commits;

  private ReadCommits(String instant, @Nullable Set<String> commits) {
    this.instant = instant;
    this.commits = commits;
  }

  /**
   * {@code instant} is the requested time of the last commit to read; empty for a table without
   * commits.
   */
  public static ReadCommits until(String instant) {
    return new ReadCommits(instant, null);
  }

  /**
   * The rows that some commits have written, in the state after an instant.
   *
   * @param commits requested times, the values of {@code _hoodie_commit_time}
   */
  public static ReadCommits ofCommits(String instant, Set<String> commits) {
    return new ReadCommits(instant, Collections.unmodifiableSet(new LinkedHashSet<>(commits)));
  }

  /** Requested time of the last commit whose log blocks are read. */
  public String instant() {
    return instant;
  }

  /** The commits whose rows are read; empty for all. */
  public Optional<Set<String>> commits() {
    return Optional.ofNullable(commits);
  }
}
