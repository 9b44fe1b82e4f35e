/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.index;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The base files that a column has rows for, by path; the position names the row. Immutable. */
final class IndexedFiles {
  private static final int ABSENT = -1;

  private final String[] paths;
  private final long[] sizes;
  private final Map<String, Integer> positions;

  /**
   * @param paths relative to the table root, each once
   * @param sizes of these files in bytes, as they were when their statistics were read
   */
  IndexedFiles(String[] paths, long[] sizes) {
    this.paths = paths;
    this.sizes = sizes;
    this.positions = new HashMap<>(paths.length * 4 / 3 + 1);
    for (int i = 0; i < paths.length; i++) {
      positions.put(paths[i], i);
    }
  }

  /**
   * For each file of the listing the position of its row, or -1 if there is none for a file of that
   * size.
   */
  int[] positionsOf(List<DataFile> listing) {
    int[] found = new int[listing.size()];
    for (int i = 0; i < found.length; i++) {
      DataFile file = listing.get(i);
      Integer position = positions.get(file.relativePath());
      boolean sameFile = position != null && sizes[position] == file.size();
      found[i] = sameFile ? position : ABSENT;
    }
    return found;
  }

  /** Whether both hold the same files in the same order, so that one can stand for the other. */
  boolean sameAs(IndexedFiles other) {
    return Arrays.equals(sizes, other.sizes) && Arrays.equals(paths, other.paths);
  }

  /** About how much memory this takes, in bytes. */
  long weight() {
    long weight = 64;
    for (String path : paths) {
      weight += 112 + 2L * path.length();
    }
    return weight;
  }
}
