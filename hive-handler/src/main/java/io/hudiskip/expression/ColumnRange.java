/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.expression;

import io.hudiskip.encoding.HiveType;
import java.util.Optional;

/**
 * What is known of one column in one file: encoded bounds of its values that are neither NULL nor
 * NaN, and counts, each possibly absent. Immutable.
 */
public final class ColumnRange {

  /** Stands for a count that is not known. */
  public static final long UNKNOWN_COUNT = -1;

  private final Optional<HiveType> type;
  private final byte[] lower;
  private final byte[] upper;
  private final long nullCount;
  private final long valueCount;
  private final long nanCount;

  /**
   * @param type the type that the file stores the column as; empty when this build does not know it
   * @param lower encoded value that no value is below, or null; kept, not copied
   * @param upper encoded value that no value is above, or null; kept, not copied
   * @param nullCount number of NULLs, or {@link #UNKNOWN_COUNT}
   * @param valueCount number of rows, NULLs included, or {@link #UNKNOWN_COUNT}
   * @param nanCount number of NaNs, or {@link #UNKNOWN_COUNT}
   */
  public ColumnRange(
      Optional<HiveType> type,
      byte[] lower,
      byte[] upper,
      long nullCount,
      long valueCount,
      long nanCount) {
    this.type = type;
    this.lower = lower;
    this.upper = upper;
    this.nullCount = nullCount;
    this.valueCount = valueCount;
    this.nanCount = nanCount;
  }

  Optional<HiveType> type() {
    return type;
  }

  /** Null when absent. */
  byte[] lower() {
    return lower;
  }

  /** Null when absent. */
  byte[] upper() {
    return upper;
  }

  long nullCount() {
    return nullCount;
  }

  long nanCount() {
    return nanCount;
  }

  boolean isAllNull() {
    return nullCount != UNKNOWN_COUNT && nullCount == valueCount;
  }

  /** About how much memory this takes, in bytes. */
  public int weight() {
    return 48 + arrayWeight(lower) + arrayWeight(upper);
  }

  private static int arrayWeight(byte[] bytes) {
    return bytes == null ? 0 : 16 + bytes.length;
  }
}
