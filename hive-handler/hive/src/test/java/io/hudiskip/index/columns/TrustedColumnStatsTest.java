// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.index.columns;

import static io.hudiskip.compile.encoding.ValueEncoding.encodeDate;
import static io.hudiskip.compile.encoding.ValueEncoding.encodeInteger;
import static io.hudiskip.conformance.Expressions.expression;
import static io.hudiskip.conformance.Expressions.leaf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.hudiskip.compile.statistics.ColumnStatistics;
import io.hudiskip.compile.statistics.ColumnVector;
import io.hudiskip.compile.statistics.StatisticsTable;
import io.hudiskip.thrift.ExpressionOperator;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.sql.Date;
import java.sql.Timestamp;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.hudi.avro.HoodieAvroWrapperUtils;
import org.apache.hudi.avro.model.HoodieMetadataColumnStats;
import org.apache.hudi.avro.model.HoodieValueTypeInfo;
import org.apache.hudi.common.table.HoodieTableVersion;
import org.apache.hudi.stats.ValueType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Which records of {@code column_stats} skip a file; each is made as Hudi makes it. */
class TrustedColumnStatsTest {
  private static final long ROWS = 10;

  private static HoodieMetadataColumnStats stats(
      Comparable<?> least, Comparable<?> greatest, long nulls) {
    return HoodieMetadataColumnStats.newBuilder()
        .setFileName("f")
        .setColumnName("a")
        .setMinValue(HoodieAvroWrapperUtils.wrapValueIntoAvro(least))
        .setMaxValue(HoodieAvroWrapperUtils.wrapValueIntoAvro(greatest))
        .setNullCount(nulls)
        .setValueCount(ROWS)
        .setTotalSize(1L)
        .setTotalUncompressedSize(1L)
        .setIsDeleted(false)
        .setIsTightBound(false)
        .build();
  }

  private static boolean keeps(
      HoodieMetadataColumnStats stats, ExpressionOperator operator, String type, byte[]... values) {
    ColumnStatistics range = TrustedColumnStats.of(stats);
    StatisticsTable statistics =
        new StatisticsTable() {
          @Override
          public int fileCount() {
            return 1;
          }

          @Override
          public Optional<ColumnVector> column(String name) {
            return Optional.of(file -> range);
          }
        };
    return expression(leaf(operator, "a", type, values)).evaluate(statistics).get(0);
  }

  @Test
  void countsThatContradictEachOtherProveNothing() {
    assertThat(TrustedColumnStats.of(stats(1, 5, ROWS))).isNotNull();
    assertThat(TrustedColumnStats.of(stats(1, 5, ROWS + 1))).isNull();
    assertThat(TrustedColumnStats.of(stats(1, 5, -1))).isNull();
  }

  private static boolean keepsInt(HoodieMetadataColumnStats stats, long value) {
    return keeps(stats, ExpressionOperator.EQ, "bigint", encodeInteger(value));
  }

  @Test
  void integersWithoutNullAreBounds() {
    for (HoodieMetadataColumnStats stats :
        new HoodieMetadataColumnStats[] {stats(-5, 7, 0), stats(-5L, 7L, 0)}) {
      assertThat(keepsInt(stats, -6)).isFalse();
      assertThat(keepsInt(stats, -5)).isTrue();
      assertThat(keepsInt(stats, 7)).isTrue();
      assertThat(keepsInt(stats, 8)).isFalse();
      assertThat(keeps(stats, ExpressionOperator.IS_NULL, "bigint")).isFalse();
    }
  }

  @Test
  void integersWithNullAreBoundsOnlyWhereZeroIsOutside() {
    assertThat(keepsInt(stats(5, 7, 3), 4)).isFalse();
    assertThat(keepsInt(stats(-7, -5, 3), -4)).isFalse();
    assertThat(keepsInt(stats(0, 7, 3), 8))
        .as("0 and NULLs may represent a row group without statistics")
        .isTrue();
    assertThat(keepsInt(stats(-7, 0, 3), 1)).isTrue();
    assertThat(keepsInt(stats(-7, 7, 3), 8)).isTrue();
    assertThat(keeps(stats(5, 7, 3), ExpressionOperator.IS_NULL, "int")).isTrue();
  }

  @Test
  void aColumnIsNeverConsideredAllNull() {
    HoodieMetadataColumnStats stats = stats(0, 0, ROWS);
    assertThat(keeps(stats, ExpressionOperator.IS_NOT_NULL, "int"))
        .as("Hudi counts the rows of a row group without statistics as NULL")
        .isTrue();
    assertThat(keepsInt(stats, 5)).isTrue();
    assertThat(keeps(stats(5, 7, ROWS), ExpressionOperator.IS_NOT_NULL, "int")).isTrue();
  }

  @Test
  void aTypeThatIsNotReadWithoutLossIsKept() {
    assertThat(keeps(stats(5L, 7L, 0), ExpressionOperator.EQ, "int", encodeInteger(8))).isTrue();
    assertThat(keeps(stats(5, 7, 0), ExpressionOperator.EQ, "date", encodeDate(8))).isTrue();
    assertThat(keeps(stats(5L, 7L, 0), ExpressionOperator.EQ, "timestamp", encodeInteger(8)))
        .as("a timestamp of unknown unit")
        .isTrue();
  }

  private static HoodieMetadataColumnStats days(LocalDate least, LocalDate greatest, long nulls) {
    return named(
        stats((int) least.toEpochDay(), (int) greatest.toEpochDay(), nulls), ValueType.DATE);
  }

  private static boolean keepsDay(HoodieMetadataColumnStats stats, LocalDate day) {
    return keeps(stats, ExpressionOperator.EQ, "date", encodeDate(day.toEpochDay()));
  }

  @Test
  void datesAreBounds() {
    HoodieMetadataColumnStats stats = days(LocalDate.of(2020, 1, 10), LocalDate.of(2020, 1, 20), 0);
    assertThat(keepsDay(stats, LocalDate.of(2020, 1, 9))).isFalse();
    assertThat(keepsDay(stats, LocalDate.of(2020, 1, 10))).isTrue();
    assertThat(keepsDay(stats, LocalDate.of(2020, 1, 20))).isTrue();
    assertThat(keepsDay(stats, LocalDate.of(2020, 1, 21))).isFalse();
  }

  @Test
  void datesBeforeTheCalendarsAgreeAreNoBounds() {
    HoodieMetadataColumnStats stats = days(LocalDate.of(1, 1, 1), LocalDate.of(1600, 1, 1), 0);
    assertThat(keepsDay(stats, LocalDate.of(1400, 1, 1))).isTrue();
    assertThat(keepsDay(stats, LocalDate.of(1700, 1, 1))).isFalse();
  }

  @Test
  void aFileWithADateBeforeOurEraIsKept() {
    HoodieMetadataColumnStats stats = days(LocalDate.of(-4712, 1, 1), LocalDate.of(2020, 1, 1), 0);
    assertThat(keepsDay(stats, LocalDate.of(4713, 1, 1)))
        .as("Hive reads 4713 BC as AD 4713")
        .isTrue();
  }

  @Test
  void theObstacleNamesTheTypeOrTheVersion() {
    Schema integer = Schema.create(Schema.Type.INT);
    Schema day = LogicalTypes.date().addToSchema(Schema.create(Schema.Type.INT));
    Schema instant = LogicalTypes.timestampMicros().addToSchema(Schema.create(Schema.Type.LONG));
    for (HoodieTableVersion version :
        new HoodieTableVersion[] {HoodieTableVersion.SIX, HoodieTableVersion.NINE}) {
      assertThat(TrustedColumnStats.obstacle(integer, version)).isEmpty();
      assertThat(TrustedColumnStats.obstacle(Schema.create(Schema.Type.LONG), version)).isEmpty();
      assertThat(TrustedColumnStats.obstacle(instant, version).get()).contains("timestamp-micros");
      assertThat(TrustedColumnStats.obstacle(Schema.create(Schema.Type.STRING), version).get())
          .contains("string");
    }
    assertThat(TrustedColumnStats.obstacle(day, HoodieTableVersion.NINE)).isEmpty();
    assertThat(TrustedColumnStats.obstacle(day, HoodieTableVersion.EIGHT).get())
        .contains("before table version 9");
  }

  @Test
  void columnsThatDifferInCaseAloneAreNotTrusted() {
    Schema schema =
        SchemaBuilder.record("t")
            .fields()
            .requiredInt("plain")
            .requiredInt("Twice")
            .requiredInt("twice")
            .endRecord();
    RecordedColumns columns = RecordedColumns.of(schema, HoodieTableVersion.NINE);
    assertThat(columns.trusted(Arrays.asList("plain", "twice", "none")))
        .containsExactly(entry("plain", "plain"));
    assertThat(columns.obstacle("plain")).isEmpty();
    assertThat(columns.obstacle("twice").get()).contains("case");
    assertThat(columns.obstacle("none").get()).contains("no such column");
  }

  @Test
  void datesWithoutEraAreNotTrusted() {
    Date first = Date.valueOf(LocalDate.of(4713, 1, 1));
    Date last = Date.valueOf(LocalDate.of(9999, 12, 31));
    assertThat(keepsDay(stats(first, last, 0), LocalDate.of(2020, 1, 1)))
        .as("the least day may be one of 4713 BC")
        .isTrue();
  }

  @Test
  void aDayOfTheEpochWithNullsIsNoBound() {
    HoodieMetadataColumnStats stats = days(LocalDate.of(1970, 1, 1), LocalDate.of(2020, 1, 1), 1);
    assertThat(keepsDay(stats, LocalDate.of(1950, 1, 1))).isTrue();
  }

  static Stream<HoodieMetadataColumnStats> statsOfOtherTypes() {
    return Stream.of(
        stats(1f, 2f, 0),
        stats(1d, 2d, 0),
        stats("a", "b", 0),
        stats(true, true, 0),
        stats(new BigDecimal("1.00"), new BigDecimal("2.00"), 0),
        stats(new Timestamp(1), new Timestamp(2), 0),
        stats(ByteBuffer.wrap(new byte[] {1}), ByteBuffer.wrap(new byte[] {2}), 0));
  }

  @ParameterizedTest
  @MethodSource("statsOfOtherTypes")
  void otherTypesAreNotTrusted(HoodieMetadataColumnStats stats) {
    assertThat(TrustedColumnStats.of(stats)).isNull();
  }

  @Test
  void aNamedTypeDecidesOverTheWrapper() {
    assertThat(keepsInt(named(stats(5, 7, 0), ValueType.INT), 8)).isFalse();
    assertThat(keepsInt(named(stats(5L, 7L, 0), ValueType.LONG), 8)).isFalse();
    assertThat(TrustedColumnStats.of(named(stats(5, 7, 0), ValueType.TIME_MILLIS))).isNull();
    assertThat(TrustedColumnStats.of(named(stats(5L, 7L, 0), ValueType.TIMESTAMP_MICROS))).isNull();
    HoodieMetadataColumnStats unknown = stats(5, 7, 0);
    unknown.setValueType(new HoodieValueTypeInfo(1_000, null));
    assertThat(TrustedColumnStats.of(unknown)).as("a type of a newer Hudi").isNull();
  }

  @SuppressWarnings("EnumOrdinal") // as Hudi stores it
  private static HoodieMetadataColumnStats named(HoodieMetadataColumnStats stats, ValueType type) {
    stats.setValueType(new HoodieValueTypeInfo(type.ordinal(), null));
    return stats;
  }

  @Test
  void mixedOrAbsentValuesAreNotTrusted() {
    HoodieMetadataColumnStats stats = stats(1, 2, 0);
    stats.setMaxValue(null);
    assertThat(TrustedColumnStats.of(stats)).isNull();
    assertThat(TrustedColumnStats.of(stats(1, 2L, 0))).isNull();
    assertThat(TrustedColumnStats.of(stats(2, 1, 0))).as("bounds in the wrong order").isNull();
  }
}
