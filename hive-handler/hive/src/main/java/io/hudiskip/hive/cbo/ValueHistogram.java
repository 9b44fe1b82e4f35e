// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.cbo;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.datasketches.kll.KllFloatsSketch;

/**
 * How a column's values are distributed over a table, by the bounds and rows of its files: Apache
 * DataSketches' serialized {@code KllFloatsSketch}, from which Hive's optimizer estimates what a
 * range selects ({@code FilterSelectivityEstimator}).
 *
 * <p>The values of a file are taken to be spread evenly between its bounds. That is exact within a
 * file for a column that the files are sorted by.
 */
final class ValueHistogram {
  /** About how many values stand for those of all files. */
  private static final int VALUES = 4_096;

  private final List<Spread> files = new ArrayList<>();

  /**
   * Adds a file.
   *
   * @param rows the rows with a value, at least one
   */
  void add(double lower, double upper, long rows) {
    files.add(new Spread(lower, upper, rows));
  }

  /**
   * The sketch, which counts each row with a value: Hive takes its size for their number.
   *
   * @return empty if there is no file, or if the library does not know this JVM
   */
  Optional<byte[]> serialized() {
    if (files.isEmpty()) {
      return Optional.empty();
    }
    try {
      KllFloatsSketch sketch = KllFloatsSketch.newHeapInstance();
      int values = Math.max(2, VALUES / files.size());
      files.forEach(file -> file.addTo(sketch, values));
      return Optional.of(sketch.toByteArray());
    } catch (RuntimeException | LinkageError e) {
      return Optional.empty();
    }
  }

  private static final class Spread {
    private final double lower;
    private final double upper;
    private final long rows;

    Spread(double lower, double upper, long rows) {
      this.lower = lower;
      this.upper = upper;
      this.rows = rows;
    }

    /** Adds values at equal distances, both bounds among them, that stand for all rows. */
    void addTo(KllFloatsSketch sketch, int values) {
      long last = lower == upper ? 0 : Math.min(values, rows) - 1;
      long left = rows;
      for (long i = 0; i <= last; i++) {
        long share = left / (last - i + 1);
        double value = last == 0 ? lower : lower + (upper - lower) * i / last;
        sketch.update((float) value, share);
        left -= share;
      }
    }
  }
}
