// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.cbo;

import io.hudiskip.encoding.EncodedOrder;
import io.hudiskip.encoding.HiveType;
import io.hudiskip.encoding.ValueEncoding;
import io.hudiskip.expression.ReadColumn;
import io.hudiskip.kind.IndexKind;
import io.hudiskip.statistics.ColumnStatistics;
import io.hudiskip.statistics.ValueSketch;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import javax.annotation.Nullable;
import org.apache.hadoop.hive.metastore.api.ColumnStatisticsData;
import org.apache.hadoop.hive.metastore.api.Decimal;
import org.apache.hadoop.hive.metastore.api.DecimalColumnStatsData;
import org.apache.hadoop.hive.metastore.api.LongColumnStatsData;
import org.apache.hadoop.hive.metastore.api.StringColumnStatsData;

/**
 * Statistics of a column over all files of a table.
 *
 * <p>Of a merge-on-read table, they are those of all records in base files and logs, as the number
 * of rows that Hive plans with is: an updated row counts more than once.
 */
final class ColumnSummary {
  private final HiveType type;
  private long rows;
  private long nulls;
  @Nullable private byte[] lower;
  @Nullable private byte[] upper;
  private double totalLength;
  private long maxLength;
  private final List<ValueSketch> sketches = new ArrayList<>();
  private final ValueHistogram histogram = new ValueHistogram();

  private ColumnSummary(HiveType type) {
    this.type = type;
  }

  /**
   * Whether Hive gets statistics of columns of a type. Of {@code varchar} and {@code char}, Hive
   * reads other values than are stored. With a histogram of {@code float} or {@code double}, its
   * optimizer fails on a comparison with NaN.
   */
  static boolean covers(HiveType type) {
    switch (type.kind()) {
      case INTEGER:
      case DECIMAL:
      case DATE:
      case TIMESTAMP:
        return true;
      default:
        return isString(type);
    }
  }

  /**
   * The type that Hive is to take a column's statistics for. Of dates and timestamps, Hive 4 drops
   * the number of distinct values ({@code StatsUtils.getColStatistics}), so that joins by them look
   * like products. It keeps that of integers, and compares with the bounds by the type that the
   * column has in the query: a date as days, a timestamp as seconds ({@code
   * StatsRulesProcFactory.evaluateComparator}). The one loss: it does not notice values of an IN
   * that are out of bounds.
   */
  static String typeForHive(HiveType type) {
    switch (type.kind()) {
      case DATE:
        return "int";
      case TIMESTAMP:
        return "bigint";
      default:
        return type.toString();
    }
  }

  private static boolean isString(HiveType type) {
    return type.toString().equals("string");
  }

  /**
   * Adds up the statistics of files.
   *
   * @param files the column in each file; empty where the index knows nothing
   * @return empty unless it knows enough of each file, and there is a value
   */
  static Optional<ColumnStatisticsData> of(
      ReadColumn column, List<Optional<ColumnStatistics>> files) {
    ColumnSummary summary = new ColumnSummary(column.type());
    for (Optional<ColumnStatistics> file : files) {
      if (!file.isPresent() || !summary.add(file.get())) {
        return Optional.empty();
      }
    }
    return summary.sketches.isEmpty() ? Optional.empty() : summary.data();
  }

  /** Adds a file; false if not all is known of it. */
  private boolean add(ColumnStatistics file) {
    if (file.nullCount() == ColumnStatistics.UNKNOWN_COUNT
        || file.valueCount() == ColumnStatistics.UNKNOWN_COUNT) {
      return false;
    }
    rows += file.valueCount();
    nulls += file.nullCount();
    if (file.isAllNull()) {
      return true;
    }
    long values = file.valueCount() - file.nullCount();
    if (values <= 0) {
      return false; // not true, so the rest need not be
    }
    Optional<ValueSketch> sketch =
        file.content(IndexKind.NDV)
            .filter(ValueSketch.class::isInstance)
            .map(ValueSketch.class::cast);
    if (!sketch.isPresent() || file.lower() == null || file.upper() == null) {
      return false;
    }
    lower = lower == null || EncodedOrder.compare(file.lower(), lower) < 0 ? file.lower() : lower;
    upper = upper == null || EncodedOrder.compare(file.upper(), upper) > 0 ? file.upper() : upper;
    totalLength += (double) sketch.get().meanLength() * values;
    maxLength = Math.max(maxLength, sketch.get().maxLength());
    sketches.add(sketch.get());
    if (!isString(type)) {
      histogram.add(inHistogram(file.lower()), inHistogram(file.upper()), values);
    }
    return true;
  }

  private Optional<ColumnStatisticsData> data() {
    OptionalLong distinct = ValueSketch.distinctValues(sketches);
    return distinct.isPresent() ? Optional.of(data(distinct.getAsLong())) : Optional.empty();
  }

  private ColumnStatisticsData data(long estimate) {
    ColumnStatisticsData data = new ColumnStatisticsData();
    long distinct = Math.max(1, Math.min(estimate, rows - nulls));
    if (isString(type)) {
      double meanLength = totalLength / (rows - nulls);
      // No bounds: Hive has no place for them, and those of the index may be cut.
      data.setStringStats(new StringColumnStatsData(maxLength, meanLength, nulls, distinct));
    } else if (type.kind() == HiveType.Kind.DECIMAL) {
      DecimalColumnStatsData decimals = new DecimalColumnStatsData(nulls, distinct);
      decimals.setLowValue(decimal(lower));
      decimals.setHighValue(decimal(upper));
      histogram.serialized().ifPresent(decimals::setHistogram);
      data.setDecimalStats(decimals);
    } else {
      LongColumnStatsData integers =
          new LongColumnStatsData(nulls, Math.min(distinct, integersInBounds()));
      integers.setLowValue(integer(lower));
      integers.setHighValue(integer(upper));
      histogram.serialized().ifPresent(integers::setHistogram);
      data.setLongStats(integers);
    }
    return data;
  }

  /** The number of integers, days or microseconds from one bound to the other. */
  private long integersInBounds() {
    long range = ValueEncoding.decodeInteger(upper) - ValueEncoding.decodeInteger(lower);
    // Negative if it leaves bigint.
    return range < 0 || range == Long.MAX_VALUE ? Long.MAX_VALUE : range + 1;
  }

  /** An integer, days or seconds. */
  private long integer(byte[] encoded) {
    long value = ValueEncoding.decodeInteger(encoded);
    return type.kind() == HiveType.Kind.TIMESTAMP
        ? Math.floorDiv(value, TimeUnit.SECONDS.toMicros(1))
        : value;
  }

  /** A number as Hive's optimizer compares it with a histogram: days as seconds, too. */
  private double inHistogram(byte[] encoded) {
    switch (type.kind()) {
      case DECIMAL:
        return ValueEncoding.decodeDecimal(encoded).doubleValue();
      case DATE:
        return TimeUnit.DAYS.toSeconds(integer(encoded));
      default:
        return integer(encoded);
    }
  }

  private static Decimal decimal(byte[] encoded) {
    BigDecimal value = ValueEncoding.decodeDecimal(encoded);
    // Hive's scales are not negative.
    BigDecimal scaled = value.scale() < 0 ? value.setScale(0) : value;
    return new Decimal(
        (short) scaled.scale(), ByteBuffer.wrap(scaled.unscaledValue().toByteArray()));
  }
}
