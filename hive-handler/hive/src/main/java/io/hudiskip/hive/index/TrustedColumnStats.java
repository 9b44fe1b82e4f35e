// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.index;

import io.hudiskip.encoding.HiveType;
import io.hudiskip.encoding.ValueEncoding;
import io.hudiskip.statistics.ColumnStatistics;
import java.time.LocalDate;
import java.util.Optional;
import javax.annotation.Nullable;
import org.apache.avro.LogicalType;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.hudi.avro.model.DateWrapper;
import org.apache.hudi.avro.model.HoodieMetadataColumnStats;
import org.apache.hudi.avro.model.HoodieValueTypeInfo;
import org.apache.hudi.avro.model.IntWrapper;
import org.apache.hudi.avro.model.LongWrapper;
import org.apache.hudi.stats.ValueType;

/**
 * The statistics that a record of Hudi's {@code column_stats} proves for a base file's column:
 * integers and dates only. For other types, Hudi's values need not be bounds: 0.0 for a row group
 * with NaN, strings in UTF-16 order that omit row groups with too long statistics, timestamps
 * without a unit, decimals of another type than the file's.
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
 */
final class TrustedColumnStats {
  private static final Optional<HiveType> INT = HiveType.parse("int");
  private static final Optional<HiveType> BIGINT = HiveType.parse("bigint");
  private static final Optional<HiveType> DATE = HiveType.parse("date");

  /** From here on, writers and Hive agree on the calendar. */
  private static final long FIRST_DAY = LocalDate.of(1583, 1, 1).toEpochDay();

  private TrustedColumnStats() {}

  /** Whether statistics of a column with this current type can be proven: an integer or a date. */
  static boolean mayBeOf(Schema type) {
    boolean isInteger = type.getType() == Schema.Type.INT || type.getType() == Schema.Type.LONG;
    LogicalType logical = type.getLogicalType();
    return isInteger && (logical == null || logical instanceof LogicalTypes.Date);
  }

  /** The proven statistics; null if there are none. */
  @Nullable
  static ColumnStatistics of(HoodieMetadataColumnStats stats) {
    Object least = stats.getMinValue();
    Object greatest = stats.getMaxValue();
    boolean noNull = Long.valueOf(0).equals(stats.getNullCount());
    if (least instanceof IntWrapper && greatest instanceof IntWrapper) {
      int first = ((IntWrapper) least).getValue();
      int last = ((IntWrapper) greatest).getValue();
      if (names(stats, ValueType.DATE)) {
        return range(DATE, first, last, noNull);
      }
      return isPlain(stats, ValueType.INT) ? range(INT, first, last, noNull) : null;
    }
    if (least instanceof LongWrapper && greatest instanceof LongWrapper) {
      return isPlain(stats, ValueType.LONG)
          ? range(
              BIGINT, ((LongWrapper) least).getValue(), ((LongWrapper) greatest).getValue(), noNull)
          : null;
    }
    if (least instanceof DateWrapper && greatest instanceof DateWrapper) {
      return range(
          DATE, ((DateWrapper) least).getValue(), ((DateWrapper) greatest).getValue(), noNull);
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

  /**
   * Hudi converts days through {@code java.sql.Date} in the writer's zone, and some zones skip a
   * day, so each bound of dates is widened by a day.
   */
  @Nullable
  private static ColumnStatistics range(
      Optional<HiveType> type, long least, long greatest, boolean noNull) {
    boolean areBounds = least <= greatest && (noNull || least > 0 || greatest < 0);
    if (!areBounds) {
      return null;
    }
    boolean isDate = type.equals(DATE);
    return new ColumnStatistics(
        type,
        isDate ? day(least - 1) : ValueEncoding.encodeInteger(least),
        isDate ? day(greatest + 1) : ValueEncoding.encodeInteger(greatest),
        noNull ? 0 : ColumnStatistics.UNKNOWN_COUNT,
        ColumnStatistics.UNKNOWN_COUNT,
        ColumnStatistics.UNKNOWN_COUNT);
  }

  @Nullable
  private static byte[] day(long day) {
    return day < FIRST_DAY ? null : ValueEncoding.encodeDate(day);
  }
}
