// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.index;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The instants after which an index has exactly the table's latest files ({@code
 * docs/inside/formats.md}, "The timeline that was seen"). Immutable.
 */
public final class SeenTimeline {
  private final Set<String> completed;
  private final Set<String> pending;

  /**
   * Creates a timeline.
   *
   * @param completed names of the timeline's files for completed instants, except actions that
   *     change no latest file
   * @param pending instants that were not yet completed
   */
  public SeenTimeline(Collection<String> completed, Collection<String> pending) {
    this.completed = Collections.unmodifiableSet(new LinkedHashSet<>(completed));
    this.pending = Collections.unmodifiableSet(new LinkedHashSet<>(pending));
  }

  public Set<String> completed() {
    return completed;
  }

  public Set<String> pending() {
    return pending;
  }
}
