// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.statistics;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Collection;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.datasketches.cpc.CpcSketch;
import org.apache.datasketches.cpc.CpcUnion;

/**
 * A count of one column's distinct encoded values in one file, NULL and NaN excluded, that can be
 * merged with those of other files: Apache DataSketches' serialized {@code CpcSketch}, after the
 * lengths of the values. For estimates alone: it answers nothing about a file. Immutable.
 */
public final class ValueSketch implements Content {
  /** Mean and greatest length, 4 bytes each. */
  private static final int LENGTHS = 8;

  private final float meanLength;
  private final long maxLength;
  private final byte[] sketch;

  private ValueSketch(float meanLength, long maxLength, byte[] sketch) {
    this.meanLength = meanLength;
    this.maxLength = maxLength;
    this.sketch = sketch;
  }

  /**
   * Reads what {@code pycompiler.index.value_sketch} writes; the sketch itself is read when it is
   * {@link #distinctValues counted}.
   *
   * @return empty when there are no lengths
   */
  public static Optional<Content> of(byte[] bytes) {
    if (bytes.length <= LENGTHS) {
      return Optional.empty();
    }
    ByteBuffer lengths = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    float mean = lengths.getFloat();
    long max = Integer.toUnsignedLong(lengths.getInt());
    return mean >= 0 && mean <= max
        ? Optional.of(new ValueSketch(mean, max, Arrays.copyOfRange(bytes, LENGTHS, bytes.length)))
        : Optional.empty();
  }

  /** Mean length of the distinct encoded values in bytes; 0 if there are none. */
  public float meanLength() {
    return meanLength;
  }

  /** Greatest length of an encoded value in bytes; 0 if there are none. */
  public long maxLength() {
    return maxLength;
  }

  /**
   * Estimates the number of distinct values in several files together, with a standard error of 2.2
   * %.
   *
   * @return empty when this build or JVM cannot read one of the sketches
   */
  public static OptionalLong distinctValues(Collection<ValueSketch> files) {
    try {
      CpcUnion union = new CpcUnion();
      for (ValueSketch file : files) {
        union.update(CpcSketch.heapify(file.sketch));
      }
      return OptionalLong.of(Math.round(union.getResult().getEstimate()));
    } catch (RuntimeException | LinkageError | AssertionError e) {
      // The library asserts what damaged bytes lack, and its static initializers reject Java
      // versions that they do not know.
      return OptionalLong.empty();
    }
  }
}
