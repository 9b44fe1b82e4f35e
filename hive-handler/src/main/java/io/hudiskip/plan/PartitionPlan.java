/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.plan;

import java.util.Collections;
import java.util.List;

/** Which partitions of a table a filter can match. Immutable. */
public final class PartitionPlan {
  private final KeyLayout layout;
  private final List<ScanRange> scans;
  private final String text;

  PartitionPlan(KeyLayout layout, List<ScanRange> scans, String text) {
    this.layout = layout;
    this.scans = Collections.unmodifiableList(scans);
    this.text = text;
  }

  /** How the keys are made. */
  public KeyLayout layout() {
    return layout;
  }

  /** What is to be read of a catalogue: ranges that ascend and are apart. */
  public List<ScanRange> scans() {
    return scans;
  }

  /** Whether every partition is wanted, so that a catalogue need not be asked. */
  public boolean isWholeTable() {
    return scans.stream().anyMatch(ScanRange::isWholeTable);
  }

  /** The plan in the notation of {@code docs/scan-plans.md}. */
  @Override
  public String toString() {
    return text;
  }
}
