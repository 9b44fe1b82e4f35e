// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.index.parquet;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** Decodes Parquet's hybrid of run lengths and bit-packing. */
final class RunLengths {
  private static final int GROUP = 8;

  private RunLengths() {}

  /**
   * Decodes numbers.
   *
   * @param in starts at the first run; its position is moved
   * @param bitWidth bits per number, 0 to 32
   * @param count how many numbers
   */
  static int[] decode(ByteBuffer in, int bitWidth, int count) {
    int[] values = new int[count];
    for (int filled = 0; filled < count; ) {
      int header = unsignedVarInt(in);
      if ((header & 1) == 0) {
        int end = (int) Math.min(count, (long) filled + (header >>> 1));
        Arrays.fill(values, filled, end, repeated(in, bitWidth));
        filled = end;
      } else {
        int end = (int) Math.min(count, filled + (long) GROUP * (header >>> 1));
        unpack(in, bitWidth, values, filled, end);
        filled = end;
      }
    }
    return values;
  }

  private static int repeated(ByteBuffer in, int bitWidth) {
    int value = 0;
    for (int shift = 0; shift < bitWidth; shift += Byte.SIZE) {
      value |= (in.get() & 0xFF) << shift;
    }
    return value;
  }

  /** The last group may be incomplete beyond {@code to}. */
  private static void unpack(ByteBuffer in, int bitWidth, int[] values, int from, int to) {
    long mask = (1L << bitWidth) - 1;
    long bits = 0;
    int available = 0;
    for (int i = from; i < to; i++) {
      while (available < bitWidth) {
        bits |= (in.get() & 0xFFL) << available;
        available += Byte.SIZE;
      }
      values[i] = (int) (bits & mask);
      bits >>>= bitWidth;
      available -= bitWidth;
    }
  }

  private static int unsignedVarInt(ByteBuffer in) {
    int value = 0;
    for (int shift = 0; ; shift += 7) {
      byte next = in.get();
      value |= (next & 0x7F) << shift;
      if (next >= 0) {
        return value;
      }
    }
  }
}
