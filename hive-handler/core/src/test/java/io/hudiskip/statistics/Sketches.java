// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.statistics;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Collection;
import org.apache.datasketches.cpc.CpcSketch;
import org.apache.datasketches.memory.XxHash;

/** Writes the content of the kind {@code ndv}, as the Python package does. */
public final class Sketches {
  private static final int LG_K = 10;

  private Sketches() {}

  /** The record's content of a file with these distinct encoded values. */
  public static byte[] of(Collection<byte[]> values) {
    CpcSketch sketch = new CpcSketch(LG_K);
    int total = 0;
    int most = 0;
    for (byte[] value : values) {
      sketch.update(XxHash.hashByteArr(value, 0, value.length, 0));
      total += value.length;
      most = Math.max(most, value.length);
    }
    byte[] bytes = sketch.toByteArray();
    return ByteBuffer.allocate(8 + bytes.length)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putFloat(values.isEmpty() ? 0 : (float) total / values.size())
        .putInt(most)
        .put(bytes)
        .array();
  }
}
