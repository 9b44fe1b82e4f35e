// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.plan;

import java.util.Collections;
import java.util.List;

/** The partitions of a table that a filter can match. Immutable. */
public final class PartitionPlan {
  private final KeyLayout layout;
  private final List<ScanRange> scans;
  private final String text;

  public PartitionPlan(KeyLayout layout, List<ScanRange> scans, String text) {
    this.layout = layout;
    this.scans = Collections.unmodifiableList(scans);
    this.text = text;
  }

  public KeyLayout layout() {
    return layout;
  }

  /** The ranges to read from a catalogue, ascending and disjoint. */
  public List<ScanRange> scans() {
    return scans;
  }

  /** Whether every partition is selected, so that no catalogue is needed. */
  public boolean isWholeTable() {
    return scans.stream().anyMatch(ScanRange::isWholeTable);
  }

  /** In the notation of {@code docs/inside/formats.md}. */
  @Override
  public String toString() {
    return text;
  }
}
