/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.index;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The instants after which an index has all of a table's latest files, and no other as such ({@code
 * docs/format.md}, "The timeline that was seen"). Immutable.
 */
public final class SeenTimeline {
  private final Set<String> completed;
  private final Set<String> pending;

  /**
   * @param completed names of the timeline's files for completed instants, but for those of actions
   *     that change no latest file
   * @param pending instants that were not completed then
   */
  public SeenTimeline(Collection<String> completed, Collection<String> pending) {
    this.completed = Collections.unmodifiableSet(new LinkedHashSet<>(completed));
    this.pending = Collections.unmodifiableSet(new LinkedHashSet<>(pending));
  }

  /** Names of the timeline's files for completed instants. */
  public Set<String> completed() {
    return completed;
  }

  /** Instants that were requested and not completed. */
  public Set<String> pending() {
    return pending;
  }
}
