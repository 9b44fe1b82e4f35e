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
 * <p>The values of a file are taken to be spread evenly between its bounds. If no two files
 * overlap, a range is misjudged by no more than the rows of the two files in which it begins and
 * ends, and by the error of the sketch.
 */
final class ValueHistogram {
  /** About how many values stand for those of all files. */
  private static final int VALUES = 4_096;

  /**
   * The parameter of the sketch: 12 KB that are wrong by 0.3 % of the rows, with few exceptions.
   */
  private static final int K = 1_000;

  /** Each step by this fraction of one, modulo one, is far from the steps before it. */
  private static final double GOLDEN_RATIO = (Math.sqrt(5) - 1) / 2;

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
    try {
      KllFloatsSketch sketch = KllFloatsSketch.newHeapInstance(K);
      int values = Math.max(1, VALUES / Math.max(1, files.size()));
      // Files with the same bounds must not all have the same values between them.
      double offset = 0.5;
      for (Spread file : files) {
        file.addTo(sketch, values, offset);
        offset = (offset + GOLDEN_RATIO) % 1;
      }
      return sketch.isEmpty() ? Optional.empty() : Optional.of(sketch.toByteArray());
    } catch (RuntimeException | LinkageError | AssertionError e) {
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

    /**
     * Adds both bounds, and values at equal distances that stand for all other rows.
     *
     * @param offset where in its part of the range a value is, from 0 to 1
     */
    void addTo(KllFloatsSketch sketch, int values, double offset) {
      if (lower == upper || rows <= 2) {
        sketch.update(asFloat(lower), rows - rows / 2);
        if (rows > 1) {
          sketch.update(asFloat(upper), rows / 2);
        }
        return;
      }
      sketch.update(asFloat(lower));
      sketch.update(asFloat(upper));
      long between = rows - 2;
      long parts = Math.min(values, between);
      long rest = between % parts;
      for (long part = 0; part < parts; part++) {
        long ofRest = rest * (part + 1) / parts - rest * part / parts;
        double value = lower + (upper - lower) * ((part + offset) / parts);
        sketch.update(asFloat(value), between / parts + ofRest);
      }
    }

    /** Never -0, between which and 0 Hive looks for values. */
    private static float asFloat(double value) {
      return (float) value + 0.0F;
    }
  }
}
