/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.index;

import io.hudiskip.expression.ColumnRange;
import io.hudiskip.expression.ColumnVector;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** All that an index knows of one column. Immutable. */
final class ColumnStatistics {
  private final IndexedFiles files;
  private final ColumnVector ranges;

  private ColumnStatistics(IndexedFiles files, ColumnVector ranges) {
    this.files = files;
    this.ranges = ranges;
  }

  /** The files of {@link #ranges}, position by position. */
  IndexedFiles files() {
    return files;
  }

  ColumnVector ranges() {
    return ranges;
  }

  /** The same, sharing the memory of a list of files that another column has as well. */
  ColumnStatistics sharingFiles(Collection<ColumnStatistics> others) {
    for (ColumnStatistics other : others) {
      if (files.sameAs(other.files)) {
        return new ColumnStatistics(other.files, ranges);
      }
    }
    return this;
  }

  /** About how much memory this takes, in bytes; shared lists of files are counted in full. */
  long weight() {
    return files.weight() + ranges.weight();
  }

  /** Collects rows in the order in which they replace each other. */
  static final class Builder {
    private final Map<String, Integer> positions = new HashMap<>();
    private final List<String> paths = new ArrayList<>();
    private final List<Long> sizes = new ArrayList<>();
    private final List<ColumnRange> ranges = new ArrayList<>();

    /** Adds a row, or replaces the one for the same file. */
    void put(String path, long size, ColumnRange range) {
      Integer position = positions.get(path);
      if (position == null) {
        positions.put(path, paths.size());
        paths.add(path);
        sizes.add(size);
        ranges.add(range);
      } else {
        sizes.set(position, size);
        ranges.set(position, range);
      }
    }

    ColumnStatistics build() {
      return new ColumnStatistics(
          new IndexedFiles(
              paths.toArray(new String[0]), sizes.stream().mapToLong(Long::longValue).toArray()),
          ColumnVector.of(ranges));
    }
  }
}
