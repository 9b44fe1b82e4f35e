/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.statistics;

import io.hudiskip.encoding.HiveType;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * What is known of one column in one file: encoded bounds of its values that are neither NULL nor
 * NaN, counts, and those values themselves or a filter of them, each possibly absent. Immutable.
 */
public final class ColumnStatistics {

  /** Stands for a count that is not known. */
  public static final long UNKNOWN_COUNT = -1;

  private final Optional<HiveType> type;
  private final byte[] lower;
  private final byte[] upper;
  private final long nullCount;
  private final long valueCount;
  private final long nanCount;
  private final Optional<List<byte[]>> valueSet;
  private final Optional<ValueBloomFilter> bloomFilter;

  /**
   * Bounds and counts, without a value set or a bloom filter.
   *
   * @param type the type that the file stores the column as; empty when this build does not know it
   * @param lower encoded value that no value is below, or null; kept, not copied
   * @param upper encoded value that no value is above, or null; kept, not copied
   * @param nullCount number of NULLs, or {@link #UNKNOWN_COUNT}
   * @param valueCount number of rows, NULLs included, or {@link #UNKNOWN_COUNT}
   * @param nanCount number of NaNs, or {@link #UNKNOWN_COUNT}
   */
  public ColumnStatistics(
      Optional<HiveType> type,
      byte[] lower,
      byte[] upper,
      long nullCount,
      long valueCount,
      long nanCount) {
    this(type, lower, upper, nullCount, valueCount, nanCount, Optional.empty(), Optional.empty());
  }

  private ColumnStatistics(
      Optional<HiveType> type,
      byte[] lower,
      byte[] upper,
      long nullCount,
      long valueCount,
      long nanCount,
      Optional<List<byte[]>> valueSet,
      Optional<ValueBloomFilter> bloomFilter) {
    this.type = type;
    this.lower = lower;
    this.upper = upper;
    this.nullCount = nullCount;
    this.valueCount = valueCount;
    this.nanCount = nanCount;
    this.valueSet = valueSet;
    this.bloomFilter = bloomFilter;
  }

  /**
   * The same, with all distinct values of the column that are neither NULL nor NaN.
   *
   * @param encoded in any order; the arrays are kept, not copied
   */
  public ColumnStatistics withValueSet(List<byte[]> encoded) {
    List<byte[]> values = Collections.unmodifiableList(encoded);
    return new ColumnStatistics(
        type, lower, upper, nullCount, valueCount, nanCount, Optional.of(values), bloomFilter);
  }

  /** The same, with a filter of all values of the column that are neither NULL nor NaN. */
  public ColumnStatistics withBloomFilter(ValueBloomFilter filter) {
    return new ColumnStatistics(
        type, lower, upper, nullCount, valueCount, nanCount, valueSet, Optional.of(filter));
  }

  /** The type that the file stores the column as; empty when this build does not know it. */
  public Optional<HiveType> type() {
    return type;
  }

  /** Null when absent. */
  public byte[] lower() {
    return lower;
  }

  /** Null when absent. */
  public byte[] upper() {
    return upper;
  }

  /** Number of NULLs, or {@link #UNKNOWN_COUNT}. */
  public long nullCount() {
    return nullCount;
  }

  /** Number of rows, NULLs included, or {@link #UNKNOWN_COUNT}. */
  public long valueCount() {
    return valueCount;
  }

  /** Number of NaNs, or {@link #UNKNOWN_COUNT}. */
  public long nanCount() {
    return nanCount;
  }

  /** All distinct values that are neither NULL nor NaN; the arrays must not be changed. */
  public Optional<List<byte[]>> valueSet() {
    return valueSet;
  }

  /** False only for a value that the bloom filter, where there is one, denies. */
  public boolean mayContain(byte[] encoded) {
    // A bloom filter has no false negatives: a value that it denies is in no row.
    return !bloomFilter.isPresent() || bloomFilter.get().mayContain(encoded);
  }

  /** Whether it is known that every row is NULL. */
  public boolean isAllNull() {
    return nullCount != UNKNOWN_COUNT && nullCount == valueCount;
  }
}
