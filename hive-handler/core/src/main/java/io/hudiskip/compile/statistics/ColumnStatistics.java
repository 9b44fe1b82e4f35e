// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.statistics;

import io.hudiskip.compile.encoding.HiveType;
import io.hudiskip.compile.encoding.ValueEncoding;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import javax.annotation.Nullable;

/**
 * Statistics of one column in one file: encoded bounds of the values that are neither NULL nor NaN,
 * counts, and contents of index kinds, each possibly absent. Immutable.
 */
public final class ColumnStatistics {

  public static final long UNKNOWN_COUNT = -1;

  private static final HiveType BIGINT = HiveType.parse("bigint").orElseThrow(AssertionError::new);
  private static final long MICROS_PER_MILLI = 1000;

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
   * @param lower kept, not copied
   * @param upper kept, not copied
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

  /** A copy with the content of an index kind's record added. */
  public ColumnStatistics with(String kind, Content content) {
    Map<String, Content> more = new LinkedHashMap<>(contents);
    more.put(kind, content);
    return new ColumnStatistics(
        type, lower, upper, nullCount, valueCount, nanCount, Collections.unmodifiableMap(more));
  }

  /** A copy with another type. */
  ColumnStatistics withType(HiveType other) {
    return new ColumnStatistics(
        Optional.of(other), lower, upper, nullCount, valueCount, nanCount, contents);
  }

  /**
   * What they say about the values as Hive reads them; empty if nothing.
   *
   * @param declared the type as which Hive reads the column
   */
  public Optional<ColumnStatistics> readAs(HiveType declared) {
    if (!type.isPresent()) {
      return Optional.empty();
    }
    if (type.get().equals(RecordedTimestamps.FROM_MILLIS) && declared.equals(BIGINT)) {
      // Sound: the number is the instant's microseconds divided by 1000, which keeps their order.
      return Optional.of(
          new ColumnStatistics(
              Optional.of(BIGINT),
              inMillis(lower),
              inMillis(upper),
              nullCount,
              valueCount,
              nanCount));
    }
    return HiveType.readsWithoutLoss(type.get(), declared) ? Optional.of(this) : Optional.empty();
  }

  @Nullable
  private static byte[] inMillis(@Nullable byte[] micros) {
    return micros == null
        ? null
        : ValueEncoding.encodeInteger(
            Math.floorDiv(ValueEncoding.decodeInteger(micros), MICROS_PER_MILLI));
  }

  /** The stored type; empty when this build does not know it. */
  public Optional<HiveType> type() {
    return type;
  }

  /** Encoded; no value is below it. Null when absent. */
  public byte[] lower() {
    return lower;
  }

  /** Encoded; no value is above it. Null when absent. */
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

  public Optional<Content> content(String kind) {
    return Optional.ofNullable(contents.get(kind));
  }

  /** What records of index kinds hold, by kind. */
  public Map<String, Content> contents() {
    return contents;
  }

  /** False only for a value that the column certainly lacks. */
  public boolean mayContain(byte[] encoded) {
    for (Content content : contents.values()) {
      // A Bloom filter, say, has no false negatives: what it denies is in no row.
      if (!content.mayContain(encoded)) {
        return false;
      }
    }
    return true;
  }

  /** Whether every row is known to be NULL. */
  public boolean isAllNull() {
    return nullCount != UNKNOWN_COUNT && nullCount == valueCount;
  }
}
