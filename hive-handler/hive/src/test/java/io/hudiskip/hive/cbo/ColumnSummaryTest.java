// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.cbo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import io.hudiskip.encoding.EncodedOrder;
import io.hudiskip.encoding.HiveType;
import io.hudiskip.encoding.ValueEncoding;
import io.hudiskip.expression.ReadColumn;
import io.hudiskip.statistics.ColumnStatistics;
import io.hudiskip.statistics.Sketches;
import io.hudiskip.statistics.ValueSketch;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.hadoop.hive.metastore.api.ColumnStatisticsData;
import org.apache.hadoop.hive.metastore.api.Decimal;
import org.apache.hadoop.hive.metastore.api.LongColumnStatsData;
import org.apache.hadoop.hive.metastore.api.StringColumnStatsData;
import org.apache.hive.org.apache.datasketches.kll.KllFloatsSketch;
import org.apache.hive.org.apache.datasketches.memory.Memory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ColumnSummaryTest {
  private static final long UNKNOWN = ColumnStatistics.UNKNOWN_COUNT;

  private static Optional<ColumnStatistics> bounds(
      String type, List<byte[]> values, long nulls, long rows) {
    return Optional.of(
        new ColumnStatistics(
            HiveType.parse(type),
            values.stream().min(EncodedOrder.COMPARATOR).orElse(null),
            values.stream().max(EncodedOrder.COMPARATOR).orElse(null),
            nulls,
            rows,
            UNKNOWN));
  }

  /** A file with some distinct values, which are in all of its rows but the NULLs. */
  private static Optional<ColumnStatistics> file(
      String type, List<byte[]> values, long nulls, long rows) {
    return bounds(type, values, nulls, rows)
        .map(file -> file.with("ndv", ValueSketch.of(Sketches.of(values)).get()));
  }

  private static Optional<ColumnStatistics> integers(long from, long to, long nulls, long rows) {
    List<byte[]> values =
        LongStream.range(from, to)
            .mapToObj(ValueEncoding::encodeInteger)
            .collect(Collectors.toList());
    return file("int", values, nulls, rows);
  }

  private static List<byte[]> strings(String... values) {
    return Stream.of(values).map(ValueEncoding::encodeString).collect(Collectors.toList());
  }

  @SafeVarargs
  private static Optional<ColumnStatisticsData> summary(
      String type, Optional<ColumnStatistics>... files) {
    return ColumnSummary.of(new ReadColumn("c", HiveType.parse(type).get()), Arrays.asList(files));
  }

  @Test
  void filesAreAddedUp() {
    LongColumnStatsData found =
        summary("bigint", integers(-5, 40, 3, 100), integers(0, 60, 4, 200)).get().getLongStats();
    assertThat(found.getLowValue()).isEqualTo(-5);
    assertThat(found.getHighValue()).isEqualTo(59);
    assertThat(found.getNumNulls()).isEqualTo(7);
    assertThat(found.getNumDVs()).isBetween(64L, 65L);
  }

  @Test
  void decimalsHaveBoundsOfTheirOwnScales() {
    List<byte[]> values =
        Stream.of("-1234.5", "0", "7E+3")
            .map(text -> ValueEncoding.encodeDecimal(new BigDecimal(text)))
            .collect(Collectors.toList());
    ColumnStatisticsData found =
        summary("decimal(10,2)", file("decimal(10,2)", values, 0, 9)).get();
    assertThat(value(found.getDecimalStats().getLowValue())).isEqualByComparingTo("-1234.5");
    assertThat(value(found.getDecimalStats().getHighValue())).isEqualByComparingTo("7000");
    assertThat(found.getDecimalStats().getNumDVs()).isEqualTo(3);
  }

  private static BigDecimal value(Decimal decimal) {
    assertThat(decimal.getScale()).isGreaterThanOrEqualTo((short) 0);
    return new BigDecimal(new BigInteger(decimal.getUnscaled()), decimal.getScale());
  }

  @Test
  void stringsHaveLengthsInPlaceOfBounds() {
    StringColumnStatsData found =
        summary(
                "string",
                file("string", strings("a", "abc"), 1, 5),
                file("string", strings("", "0123456789"), 0, 4))
            .get()
            .getStringStats();
    assertThat(found.getNumDVs()).isEqualTo(4);
    assertThat(found.getNumNulls()).isEqualTo(1);
    assertThat(found.getMaxColLen()).isEqualTo(10);
    assertThat(found.getAvgColLen()).as("four rows of mean 2, four of mean 5").isEqualTo(3.5);
  }

  @Test
  void datesAreIntegersToHiveWithSecondsInTheHistogram() {
    List<byte[]> days =
        LongStream.range(19_000, 19_100)
            .mapToObj(ValueEncoding::encodeInteger)
            .collect(Collectors.toList());
    LongColumnStatsData found = summary("date", file("date", days, 20, 1_020)).get().getLongStats();
    assertThat(found.getLowValue()).isEqualTo(19_000);
    assertThat(found.getHighValue()).isEqualTo(19_099);
    assertThat(found.getNumDVs()).isBetween(95L, 100L);
    assertThat(selected(found.getHistogram(), 19_024.5F * 86_400, 19_074.5F * 86_400))
        .isCloseTo(0.5, offset(0.03));
    assertThat(rows(found.getHistogram())).as("NULLs are not counted").isEqualTo(1_000);
    assertThat(ColumnSummary.typeForHive(HiveType.parse("date").get())).isEqualTo("int");
  }

  @Test
  void timestampsAreSecondsToHive() {
    List<byte[]> micros =
        LongStream.range(0, 400)
            .mapToObj(i -> ValueEncoding.encodeInteger(-1_500_000 + 10_000 * i))
            .collect(Collectors.toList());
    LongColumnStatsData found =
        summary("timestamp", file("timestamp", micros, 0, 400)).get().getLongStats();
    assertThat(found.getLowValue()).as("the second that it is in").isEqualTo(-2);
    assertThat(found.getHighValue()).isEqualTo(2);
    assertThat(found.getNumDVs()).as("more than seconds").isBetween(380L, 400L);
    assertThat(ColumnSummary.typeForHive(HiveType.parse("timestamp").get())).isEqualTo("bigint");
    assertThat(ColumnSummary.typeForHive(HiveType.parse("decimal(9,2)").get()))
        .isEqualTo("decimal(9,2)");
  }

  @Test
  void theHistogramFollowsTheFiles() {
    LongColumnStatsData found =
        summary("bigint", integers(0, 100, 0, 9_000), integers(900, 1_000, 0, 1_000))
            .get()
            .getLongStats();
    assertThat(selected(found.getHistogram(), -0.5F, 100.5F)).isCloseTo(0.9, offset(0.01));
    assertThat(selected(found.getHistogram(), 100.5F, 899.5F)).isZero();
    assertThat(rows(found.getHistogram())).isEqualTo(10_000);
  }

  /** The share of rows between two values, as Hive reads it. */
  private static double selected(byte[] histogram, float from, float to) {
    double[] below = KllFloatsSketch.heapify(Memory.wrap(histogram)).getCDF(new float[] {from, to});
    return below[1] - below[0];
  }

  private static long rows(byte[] histogram) {
    return KllFloatsSketch.heapify(Memory.wrap(histogram)).getN();
  }

  @Test
  void thereAreNoMoreValuesThanRowsOrIntegersBetweenTheBounds() {
    assertThat(summary("int", integers(0, 5_000, 10, 30)).get().getLongStats().getNumDVs())
        .isEqualTo(20);
    LongColumnStatsData dense = summary("int", integers(0, 5_000, 0, 90_000)).get().getLongStats();
    assertThat(dense.getNumDVs()).isBetween(4_500L, 5_000L);
    List<byte[]> ends =
        Stream.of(Long.MIN_VALUE, Long.MAX_VALUE)
            .map(ValueEncoding::encodeInteger)
            .collect(Collectors.toList());
    assertThat(summary("bigint", file("bigint", ends, 0, 7)).get().getLongStats().getNumDVs())
        .as("the difference leaves bigint")
        .isEqualTo(2);
  }

  @Test
  void filesOfNullsAndWithoutRowsNeedNoSketch() {
    Optional<ColumnStatistics> nulls = bounds("int", strings(), 8, 8);
    Optional<ColumnStatistics> empty = bounds("int", strings(), 0, 0);
    LongColumnStatsData found =
        summary("int", nulls, integers(1, 3, 0, 2), empty).get().getLongStats();
    assertThat(found.getNumNulls()).isEqualTo(8);
    assertThat(found.getNumDVs()).isEqualTo(2);
    assertThat(summary("int", nulls, empty)).as("no value").isEmpty();
    assertThat(summary("int")).as("no file").isEmpty();
  }

  @Test
  void whatIsNotKnownOfAFileIsNotKnownOfTheTable() {
    Optional<ColumnStatistics> known = integers(1, 3, 0, 2);
    List<byte[]> one =
        LongStream.of(1).mapToObj(ValueEncoding::encodeInteger).collect(Collectors.toList());
    assertThat(summary("int", known, Optional.empty())).as("nothing known").isEmpty();
    assertThat(summary("int", known, bounds("int", one, 0, 2))).as("no sketch").isEmpty();
    assertThat(summary("int", known, file("int", one, UNKNOWN, 2))).as("no NULL count").isEmpty();
    assertThat(summary("int", known, file("int", one, 0, UNKNOWN))).as("no rows").isEmpty();
    assertThat(summary("int", known, file("int", one, 3, 2))).as("too many NULLs").isEmpty();
    Optional<ColumnStatistics> unbounded =
        Optional.of(
            new ColumnStatistics(HiveType.parse("int"), null, null, 0, 2, UNKNOWN)
                .with("ndv", known.get().content("ndv").get()));
    assertThat(summary("int", known, unbounded)).as("no bounds").isEmpty();
    ColumnStatistics damaged =
        bounds("int", one, 0, 2)
            .get()
            .with("ndv", ValueSketch.of(new byte[] {0, 0, 0, 0, 0, 0, 0, 0, 9, 9}).get());
    assertThat(summary("int", known, Optional.of(damaged))).as("damaged").isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "tinyint|true", "int|true", "bigint|true", "decimal(38,10)|true", "string|true",
        "date|true", "timestamp|true", "varchar(5)|false", "char(5)|false", "double|false",
        "float|false", "boolean|false", "binary|false", "array<int>|false"
      })
  void hiveIsToldOfTypesThatItEstimatesWellWith(String type, boolean isCovered) {
    assertThat(ColumnSummary.covers(HiveType.parse(type).get())).isEqualTo(isCovered);
  }
}
