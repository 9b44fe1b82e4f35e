// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.cbo;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.datasketches.kll.KllFloatsSketch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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
  private static final Logger LOG = LoggerFactory.getLogger(ValueHistogram.class);

  /** About how many values represent all files together; at least one for each file. */
  private static final int VALUES = 4_096;

  /** The sketch's parameter: about 12 KB, and ranks that are almost always within 0.3 %. */
  private static final int K = 1_000;

  /** Added repeatedly, modulo one, it spreads offsets evenly. */
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
   * @return empty if there is no file, or if the library fails
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
      // Its static initializers reject Java versions that they do not know.
      LOG.info("No histogram of a column", e);
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

    /** Turns -0 into 0: Hive fails on a range from -0 to 0. */
    private static float asFloat(double value) {
      return (float) value + 0.0F;
    }
  }
}
