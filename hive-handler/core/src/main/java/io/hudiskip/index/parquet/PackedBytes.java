// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.index.parquet;

import io.hudiskip.compile.encoding.EncodedOrder;
import java.util.Arrays;
import java.util.BitSet;

/** A list of optional byte strings packed into one array. Immutable. */
public final class PackedBytes {
  private static final int VARIABLE = -1;
  private static final int UNDECIDED = -2;

  private final byte[] bytes;

  /** Length of every string, absent ones included, or {@link #VARIABLE}. */
  private final int width;

  /** End of each string if {@link #width} is {@link #VARIABLE}. */
  private final int[] ends;

  private final BitSet absent;

  private PackedBytes(byte[] bytes, int width, int[] ends, BitSet absent) {
    this.bytes = bytes;
    this.width = width;
    this.ends = ends;
    this.absent = absent;
  }

  /** A copy; null when absent. */
  public byte[] get(int index) {
    return absent.get(index) ? null : Arrays.copyOfRange(bytes, start(index), end(index));
  }

  /** All strings concatenated; not to be changed. */
  public byte[] bytes() {
    return bytes;
  }

  public int start(int index) {
    if (width != VARIABLE) {
      return index * width;
    }
    return index == 0 ? 0 : ends[index - 1];
  }

  public int end(int index) {
    return width == VARIABLE ? ends[index] : (index + 1) * width;
  }

  /** Whether a string sorts before the next one, as unsigned bytes. */
  public boolean isAscending(int index) {
    int next = index + 1;
    return EncodedOrder.compare(bytes, start(index), end(index), bytes, start(next), end(next)) < 0;
  }

  public boolean sameAs(PackedBytes other) {
    return width == other.width
        && Arrays.equals(ends, other.ends)
        && absent.equals(other.absent)
        && Arrays.equals(bytes, other.bytes);
  }

  /** Approximate memory in bytes. */
  public long weight() {
    return 96L + bytes.length + (ends == null ? 0 : 4L * ends.length) + absent.size() / 8;
  }

  public static final class Builder {
    private final int[] ends;
    private final BitSet absent = new BitSet();
    private byte[] bytes;
    private int size;
    private int used;

    /** Length of all strings so far, absent ones included, unless it is one of the constants. */
    private int width = UNDECIDED;

    public Builder(int count) {
      ends = new int[count];
      bytes = new byte[16 * count];
    }

    void addAbsent() {
      absent.set(size);
      // Occupies a string's space where all others have the same length.
      int length = Math.max(width, 0);
      reserve(length);
      used += length;
      ends[size] = used;
      size++;
    }

    void add(byte[] source, int offset, int length) {
      if (width == UNDECIDED) {
        decideWidth(length);
      } else if (width != length) {
        width = VARIABLE;
      }
      reserve(length);
      System.arraycopy(source, offset, bytes, used, length);
      used += length;
      ends[size] = used;
      size++;
    }

    /** Allocates space of that length for the absent strings so far. */
    private void decideWidth(int length) {
      width = length;
      for (int i = 0; i < size; i++) {
        reserve(length);
        used += length;
        ends[i] = used;
      }
    }

    private void reserve(int length) {
      if (bytes.length - used < length) {
        bytes = Arrays.copyOf(bytes, Math.addExact(bytes.length, Math.max(bytes.length, length)));
      }
    }

    public PackedBytes build() {
      byte[] exact = used == bytes.length ? bytes : Arrays.copyOf(bytes, used);
      int fixed = width == UNDECIDED ? 0 : width;
      return new PackedBytes(exact, fixed, width == VARIABLE ? ends : null, absent);
    }
  }
}
