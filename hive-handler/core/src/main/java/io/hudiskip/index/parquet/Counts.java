// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.index.parquet;

import java.util.Arrays;

/** A compact list of counts. Immutable. */
public final class Counts {
  private final int size;

  /** The value of every count if neither array is present. */
  private final long constant;

  private final int[] small;
  private final long[] large;

  private Counts(int size, long constant, int[] small, long[] large) {
    this.size = size;
    this.constant = constant;
    this.small = small;
    this.large = large;
  }

  public static Counts of(long[] values) {
    boolean isConstant = true;
    boolean isSmall = true;
    for (long value : values) {
      isConstant &= value == values[0];
      isSmall &= value == (int) value;
    }
    if (isConstant) {
      return new Counts(values.length, values.length == 0 ? 0 : values[0], null, null);
    }
    if (!isSmall) {
      return new Counts(values.length, 0, null, values);
    }
    int[] small = new int[values.length];
    for (int i = 0; i < small.length; i++) {
      small[i] = (int) values[i];
    }
    return new Counts(values.length, 0, small, null);
  }

  public int size() {
    return size;
  }

  public long get(int index) {
    if (small != null) {
      return small[index];
    }
    return large == null ? constant : large[index];
  }

  public boolean sameAs(Counts other) {
    return size == other.size
        && constant == other.constant
        && Arrays.equals(small, other.small)
        && Arrays.equals(large, other.large);
  }

  /** Approximate memory in bytes. */
  public long weight() {
    return 48L + (small == null ? 0 : 4L * size) + (large == null ? 0 : 8L * size);
  }
}
