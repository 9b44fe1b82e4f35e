// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.index.storage;

import java.io.IOException;
import java.util.Arrays;

/** The base files of rows: strictly ascending ordinals. Immutable. */
final class Ordinals {
  private static final int NO_ROW = -1;

  private final int first;
  private final int count;

  /** Null when the ordinals are consecutive. */
  private final int[] scattered;

  private Ordinals(int first, int count, int[] scattered) {
    this.first = first;
    this.count = count;
    this.scattered = scattered;
  }

  /**
   * Checks and stores the ordinals.
   *
   * @param ordinals one per row; kept, not copied
   * @param files number of base files
   * @throws IOException when they do not ascend, or exceed {@code files}
   */
  static Ordinals of(int[] ordinals, int files) throws IOException {
    int last = -1;
    for (int ordinal : ordinals) {
      if (ordinal <= last || ordinal >= files) {
        throw new IOException(
            "file ordinals must ascend and be below "
                + files
                + ", but "
                + ordinal
                + " follows "
                + last);
      }
      last = ordinal;
    }
    if (ordinals.length == 0) {
      return new Ordinals(0, 0, null);
    }
    boolean isDense = last - ordinals[0] == ordinals.length - 1;
    return new Ordinals(ordinals[0], ordinals.length, isDense ? null : ordinals);
  }

  /** Least ordinal; 0 if there is none. */
  int first() {
    return first;
  }

  int count() {
    return count;
  }

  /** The row of a base file; negative if there is none. */
  int row(int ordinal) {
    if (scattered != null) {
      return Arrays.binarySearch(scattered, ordinal);
    }
    int row = ordinal - first;
    return row < count ? row : NO_ROW;
  }

  /** Approximate memory in bytes. */
  long weight() {
    return 40L + (scattered == null ? 0 : 4L * count);
  }
}
