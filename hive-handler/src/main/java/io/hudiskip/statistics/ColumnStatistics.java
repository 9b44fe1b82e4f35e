/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.statistics;

import io.hudiskip.encoding.HiveType;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What is known of one column in one file: encoded bounds of its values that are neither NULL nor
 * NaN, counts, and what records of index kinds say, each possibly absent. Immutable.
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
  private final Map<String, Content> contents;

  /**
   * Bounds and counts alone.
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
    this(type, lower, upper, nullCount, valueCount, nanCount, Collections.emptyMap());
  }

  private ColumnStatistics(
      Optional<HiveType> type,
      byte[] lower,
      byte[] upper,
      long nullCount,
      long valueCount,
      long nanCount,
      Map<String, Content> contents) {
    this.type = type;
    this.lower = lower;
    this.upper = upper;
    this.nullCount = nullCount;
    this.valueCount = valueCount;
    this.nanCount = nanCount;
    this.contents = contents;
  }

  /** The same, with what a record of an index kind says. */
  public ColumnStatistics with(String kind, Content content) {
    Map<String, Content> more = new LinkedHashMap<>(contents);
    more.put(kind, content);
    return new ColumnStatistics(
        type, lower, upper, nullCount, valueCount, nanCount, Collections.unmodifiableMap(more));
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

  /** What a record of an index kind says, if there is one. */
  public Optional<Content> content(String kind) {
    return Optional.ofNullable(contents.get(kind));
  }

  /** What records of index kinds say, by kind. */
  public Map<String, Content> contents() {
    return contents;
  }

  /** False only for a value that the column certainly does not have in the file. */
  public boolean mayContain(byte[] encoded) {
    for (Content content : contents.values()) {
      // Such as a bloom filter, which has no false negatives: what it denies is in no row.
      if (!content.mayContain(encoded)) {
        return false;
      }
    }
    return true;
  }

  /** Whether it is known that every row is NULL. */
  public boolean isAllNull() {
    return nullCount != UNKNOWN_COUNT && nullCount == valueCount;
  }
}
