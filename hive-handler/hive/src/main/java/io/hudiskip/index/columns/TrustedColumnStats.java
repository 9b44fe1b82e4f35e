// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.index.columns;

import io.hudiskip.compile.encoding.HiveType;
import io.hudiskip.compile.encoding.ValueEncoding;
import io.hudiskip.compile.statistics.ColumnStatistics;
import java.time.LocalDate;
import java.util.Optional;
import javax.annotation.Nullable;
import org.apache.avro.LogicalType;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.hudi.avro.model.HoodieMetadataColumnStats;
import org.apache.hudi.avro.model.HoodieValueTypeInfo;
import org.apache.hudi.avro.model.IntWrapper;
import org.apache.hudi.avro.model.LongWrapper;
import org.apache.hudi.common.table.HoodieTableVersion;
import org.apache.hudi.stats.ValueType;

/**
 * The statistics that a record of Hudi's {@code column_stats} proves for a base file's column:
 * integers, and dates in tables of version 9. For other types, Hudi's values need not be bounds:
 * 0.0 for a row group with NaN, strings in UTF-16 order that omit row groups with too long
 * statistics, timestamps without a unit, decimals of another type than the file's. Before version
 * 9, Hudi records a day as a text without its era: the least day of a file may be one of 4713 BC
 * that is recorded as one of AD 4713.
 *
 * <p>Hudi takes the minimum and maximum over the footer's row groups. For a row group without
 * statistics, as for one of only NULLs, the Parquet library reports 0 and 0, and Hudi counts all
 * its rows as NULL. So
 *
 * <ul>
 *   <li>the values are bounds only if no such row group can contribute: 0 lies outside them, or
 *       there is no NULL. (Row groups of only NULLs would be harmless, but cannot be told from
 *       those without statistics.)
 *   <li>NULLs may be overcounted: only a count of 0 is reliable, and a column is never all NULL.
 * </ul>
 *
 * <p>That includes files with fewer rows than values, which Hudi 1.0.2 has committed: a row's value
 * is one of those that the footer counts and bounds.
 */
final class TrustedColumnStats {
  private static final Optional<HiveType> INT = HiveType.parse("int");
  private static final Optional<HiveType> BIGINT = HiveType.parse("bigint");
  private static final Optional<HiveType> DATE = HiveType.parse("date");

  /** From here on, writers and Hive agree on the calendar. */
  private static final long FIRST_DAY = LocalDate.of(1583, 1, 1).toEpochDay();

  /** 1 BC; Hive reads the days before it as days of our era, so that their order is lost. */
  private static final long FIRST_DAY_IN_ORDER = LocalDate.of(0, 1, 1).toEpochDay();

  private TrustedColumnStats() {}

  /**
   * Why no record of a column with this current type proves anything in tables of a version, for
   * display; empty if a record may.
   */
  static Optional<String> obstacle(Schema type, HoodieTableVersion version) {
    LogicalType logical = type.getLogicalType();
    if (type.getType() == Schema.Type.INT && logical instanceof LogicalTypes.Date) {
      // Older records name no type, so of() trusts none of them.
      return version.greaterThanOrEquals(HoodieTableVersion.NINE)
          ? Optional.empty()
          : Optional.of("before table version 9, Hudi records days without their era");
    }
    boolean isInteger = type.getType() == Schema.Type.INT || type.getType() == Schema.Type.LONG;
    if (isInteger && logical == null) {
      return Optional.empty();
    }
    String name = logical == null ? type.getType().getName() : logical.getName();
    return Optional.of("what Hudi records of the type " + name + " need not be bounds");
  }

  /** The proven statistics; null if there are none. */
  @Nullable
  static ColumnStatistics of(HoodieMetadataColumnStats stats) {
    Object least = stats.getMinValue();
    Object greatest = stats.getMaxValue();
    Long values = stats.getValueCount();
    Long nulls = stats.getNullCount();
    if (values != null && nulls != null && (nulls < 0 || nulls > values)) {
      return null; // a record that contradicts itself proves nothing
    }
    boolean noNull = Long.valueOf(0).equals(nulls);
    if (least instanceof IntWrapper && greatest instanceof IntWrapper) {
      int first = ((IntWrapper) least).getValue();
      int last = ((IntWrapper) greatest).getValue();
      if (names(stats, ValueType.DATE)) {
        return days(first, last, noNull);
      }
      return isPlain(stats, ValueType.INT) ? integers(INT, first, last, noNull) : null;
    }
    if (least instanceof LongWrapper && greatest instanceof LongWrapper) {
      long first = ((LongWrapper) least).getValue();
      long last = ((LongWrapper) greatest).getValue();
      return isPlain(stats, ValueType.LONG) ? integers(BIGINT, first, last, noNull) : null;
    }
    return null;
  }

  /**
   * Whether the values are of the type of their wrapper. Since table version 9, days are wrapped
   * like integers, and instants like longs, and the record names the type; before, it names none.
   */
  private static boolean isPlain(HoodieMetadataColumnStats stats, ValueType ofWrapper) {
    return stats.getValueType() == null || names(stats, ofWrapper);
  }

  @SuppressWarnings("EnumOrdinal") // the number that Hudi stores
  private static boolean names(HoodieMetadataColumnStats stats, ValueType type) {
    HoodieValueTypeInfo named = stats.getValueType();
    return named != null && named.getTypeOrdinal() == type.ordinal();
  }

  @Nullable
  private static ColumnStatistics integers(
      Optional<HiveType> type, long least, long greatest, boolean noNull) {
    return areBounds(least, greatest, noNull)
        ? range(
            type, ValueEncoding.encodeInteger(least), ValueEncoding.encodeInteger(greatest), noNull)
        : null;
  }

  @Nullable
  private static ColumnStatistics days(long least, long greatest, boolean noNull) {
    return areBounds(least, greatest, noNull) && least >= FIRST_DAY_IN_ORDER
        ? range(DATE, day(least), day(greatest), noNull)
        : null;
  }

  private static boolean areBounds(long least, long greatest, boolean noNull) {
    return least <= greatest && (noNull || least > 0 || greatest < 0);
  }

  private static ColumnStatistics range(
      Optional<HiveType> type, @Nullable byte[] least, @Nullable byte[] greatest, boolean noNull) {
    return new ColumnStatistics(
        type,
        least,
        greatest,
        noNull ? 0 : ColumnStatistics.UNKNOWN_COUNT,
        ColumnStatistics.UNKNOWN_COUNT,
        ColumnStatistics.UNKNOWN_COUNT);
  }

  @Nullable
  private static byte[] day(long day) {
    return day < FIRST_DAY ? null : ValueEncoding.encodeDate(day);
  }
}
