/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.index.parquet;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.parquet.io.api.Binary;

/** Values of consecutive rows of which many follow their equal. Immutable once they are read. */
public final class Runs {
  private final List<Binary> values = new ArrayList<>();
  private int[] ends = new int[1];
  private int rows;
  private Binary lastAdded;

  /**
   * Adds the value of some rows.
   *
   * @param value copied if it is kept; of a dictionary, equal ones are mostly the same object
   * @param count how many rows, 1 or more
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

  /** How many times the value changes, and one more. */
  public int count() {
    return values.size();
  }

  /** What all rows of a run have. */
  public Binary value(int run) {
    return values.get(run);
  }

  /** The first row of a run. */
  public int start(int run) {
    return run == 0 ? 0 : ends[run - 1];
  }

  /** The row behind a run. */
  public int end(int run) {
    return ends[run];
  }
}
