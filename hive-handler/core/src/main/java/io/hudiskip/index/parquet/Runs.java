// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.index.parquet;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.parquet.io.api.Binary;

/** Run-length-encoded values of consecutive rows. Immutable once read. */
public final class Runs {
  private final List<Binary> values = new ArrayList<>();
  private int[] ends = new int[1];
  private int rows;
  private Binary lastAdded;

  /**
   * Adds the value of {@code count} rows, at least 1. The value is copied if it is kept; equal
   * dictionary values are usually the same object.
   */
  @SuppressWarnings("ReferenceEquality")
  void add(Binary value, int count) {
    int last = values.size() - 1;
    boolean isRepeated = last >= 0 && (value == lastAdded || values.get(last).equals(value));
    if (!isRepeated) {
      last++;
      values.add(value.copy());
      if (last == ends.length) {
        ends = Arrays.copyOf(ends, 2 * ends.length);
      }
    }
    lastAdded = value;
    rows += count;
    ends[last] = rows;
  }

  public int count() {
    return values.size();
  }

  public Binary value(int run) {
    return values.get(run);
  }

  public int start(int run) {
    return run == 0 ? 0 : ends[run - 1];
  }

  /** End of a run, exclusive. */
  public int end(int run) {
    return ends[run];
  }
}
