/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.index.metadatatable;

import io.hudiskip.encoding.HiveType;
import io.hudiskip.encoding.ValueEncoding;
import io.hudiskip.statistics.ColumnStatistics;
import java.time.LocalDate;
import java.util.Optional;
import javax.annotation.Nullable;
import org.apache.hudi.avro.model.DateWrapper;
import org.apache.hudi.avro.model.HoodieMetadataColumnStats;
import org.apache.hudi.avro.model.IntWrapper;
import org.apache.hudi.avro.model.LongWrapper;

/**
 * What a record of Hudi's {@code column_stats} proves of a column in a base file. Integers and
 * dates only; of all other types Hudi records values that need not be bounds: 0.0 for a row group
 * with NaN, strings without those of a row group whose statistics were too long, in UTF-16 order,
 * timestamps without their unit, decimals in another type than the file's.
 *
 * <p>Hudi takes the least and the greatest of what the footer says of each row group. For one
 * without statistics, as for one of NULLs, Parquet's library says 0 and 0, and Hudi counts all its
 * rows as NULL. So
 *
 * <ul>
 *   <li>the values are bounds only where no such row group can be among them: 0 does not lie
 *       between them, or there is no NULL. (A row group of NULLs alone would do no harm, but can't
 *       be told from one without statistics.)
 *   <li>NULLs may be fewer than recorded: only 0 is a count, and a column is never all NULL.
 * </ul>
 */
final class TrustedColumnStats {
  private static final Optional<HiveType> INT = HiveType.parse("int");
  private static final Optional<HiveType> BIGINT = HiveType.parse("bigint");
  private static final Optional<HiveType> DATE = HiveType.parse("date");

  /** Before it, writers and Hive disagree on the calendar. */
  private static final long FIRST_DAY = LocalDate.of(1583, 1, 1).toEpochDay();

  private TrustedColumnStats() {}

  /** What is proved; null for nothing. */
  @Nullable
  static ColumnStatistics of(HoodieMetadataColumnStats stats) {
    Object least = stats.getMinValue();
    Object greatest = stats.getMaxValue();
    boolean noNull = Long.valueOf(0).equals(stats.getNullCount());
    if (least instanceof IntWrapper && greatest instanceof IntWrapper) {
      return integers(
          INT, ((IntWrapper) least).getValue(), ((IntWrapper) greatest).getValue(), noNull);
    }
    if (least instanceof LongWrapper && greatest instanceof LongWrapper) {
      return integers(
          BIGINT, ((LongWrapper) least).getValue(), ((LongWrapper) greatest).getValue(), noNull);
    }
    if (least instanceof DateWrapper && greatest instanceof DateWrapper) {
      return dates(((DateWrapper) least).getValue(), ((DateWrapper) greatest).getValue(), noNull);
    }
    return null;
  }

  private static boolean areBounds(long least, long greatest, boolean noNull) {
    return least <= greatest && (noNull || least > 0 || greatest < 0);
  }

  @Nullable
  private static ColumnStatistics integers(
      Optional<HiveType> type, long least, long greatest, boolean noNull) {
    if (!areBounds(least, greatest, noNull)) {
      return null;
    }
    return range(
        type, ValueEncoding.encodeInteger(least), ValueEncoding.encodeInteger(greatest), noNull);
  }

  /**
   * Hudi takes days through {@code java.sql.Date} in the zone of the writer, and some zones lack a
   * day: so each bound is a day wider.
   */
  @Nullable
  private static ColumnStatistics dates(long least, long greatest, boolean noNull) {
    if (!areBounds(least, greatest, noNull)) {
      return null;
    }
    return range(
        DATE,
        least - 1 < FIRST_DAY ? null : ValueEncoding.encodeDate(least - 1),
        greatest + 1 < FIRST_DAY ? null : ValueEncoding.encodeDate(greatest + 1),
        noNull);
  }

  private static ColumnStatistics range(
      Optional<HiveType> type, byte[] lower, byte[] upper, boolean noNull) {
    return new ColumnStatistics(
        type,
        lower,
        upper,
        noNull ? 0 : ColumnStatistics.UNKNOWN_COUNT,
        ColumnStatistics.UNKNOWN_COUNT,
        ColumnStatistics.UNKNOWN_COUNT);
  }
}
