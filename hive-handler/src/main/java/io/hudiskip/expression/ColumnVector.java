/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.expression;

import java.util.List;

/** One column's statistics over a list of files. Immutable. */
public final class ColumnVector {
  private final ColumnRange[] ranges;

  private ColumnVector(ColumnRange[] ranges) {
    this.ranges = ranges;
  }

  /**
   * A vector of these.
   *
   * @param ranges one entry for each file, null where nothing is known
   */
  public static ColumnVector of(List<ColumnRange> ranges) {
    return new ColumnVector(ranges.toArray(new ColumnRange[0]));
  }

  /** The entry of a file; null when nothing is known. */
  ColumnRange range(int file) {
    return ranges[file];
  }

  /** Number of files. */
  public int size() {
    return ranges.length;
  }

  /**
   * The same statistics for another list of files.
   *
   * @param positions for each file of the other list its position in this one, negative if it is
   *     not there
   */
  public ColumnVector select(int[] positions) {
    ColumnRange[] selected = new ColumnRange[positions.length];
    for (int i = 0; i < positions.length; i++) {
      selected[i] = positions[i] < 0 ? null : ranges[positions[i]];
    }
    return new ColumnVector(selected);
  }

  /** About how much memory this takes, in bytes. */
  public long weight() {
    long weight = 16;
    for (ColumnRange range : ranges) {
      weight += 8 + (range == null ? 0 : range.weight());
    }
    return weight;
  }
}
