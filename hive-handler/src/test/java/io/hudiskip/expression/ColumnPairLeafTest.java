/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.expression;

import static io.hudiskip.conformance.Expressions.columnPair;
import static io.hudiskip.conformance.Expressions.expression;
import static io.hudiskip.encoding.ValueEncoding.encodeDouble;
import static io.hudiskip.encoding.ValueEncoding.encodeInteger;
import static io.hudiskip.encoding.ValueEncoding.encodeString;
import static io.hudiskip.encoding.ValueEncoding.encodeTimestamp;
import static org.assertj.core.api.Assertions.assertThat;

import io.hudiskip.encoding.HiveType;
import io.hudiskip.statistics.ColumnStatistics;
import io.hudiskip.thrift.ExpressionOperator;
import org.junit.jupiter.api.Test;

class ColumnPairLeafTest {
  private static final long HOUR = 3_600_000_000L;

  private static ColumnStatistics range(String type, byte[] lower, byte[] upper) {
    return new ColumnStatistics(HiveType.parse(type), lower, upper, 0, 5, 0);
  }

  private static boolean keeps(
      ExpressionOperator operator, ColumnStatistics a, ColumnStatistics b) {
    InMemoryStatistics statistics = new InMemoryStatistics(1);
    statistics.put("a", 0, a);
    statistics.put("b", 0, b);
    String type = a.type().get().toString();
    HudiExpression pair =
        expression(columnPair(operator, "a", type, "b", b.type().get().toString()));
    assertThat(pair.columns()).containsExactly("a", "b");
    return pair.evaluate(statistics).get(0);
  }

  private static boolean keepsIntegers(
      ExpressionOperator operator, long lowerA, long upperA, long lowerB, long upperB) {
    return keeps(
        operator,
        range("int", encodeInteger(lowerA), encodeInteger(upperA)),
        range("bigint", encodeInteger(lowerB), encodeInteger(upperB)));
  }

  @Test
  void aFileIsSkippedWhereNoTwoValuesOfTheRangesPass() {
    assertThat(keepsIntegers(ExpressionOperator.LT_COLUMN, 5, 9, 1, 5)).isFalse();
    assertThat(keepsIntegers(ExpressionOperator.LT_COLUMN, 5, 9, 1, 6)).isTrue();
    assertThat(keepsIntegers(ExpressionOperator.LTEQ_COLUMN, 5, 9, 1, 4)).isFalse();
    assertThat(keepsIntegers(ExpressionOperator.LTEQ_COLUMN, 5, 9, 1, 5)).isTrue();
    assertThat(keepsIntegers(ExpressionOperator.EQ_COLUMN, 5, 9, 1, 4)).isFalse();
    assertThat(keepsIntegers(ExpressionOperator.EQ_COLUMN, 1, 4, 5, 9)).isFalse();
    assertThat(keepsIntegers(ExpressionOperator.EQ_COLUMN, 5, 9, 1, 5)).isTrue();
    assertThat(keepsIntegers(ExpressionOperator.NE_COLUMN, 5, 5, 5, 5)).isFalse();
    assertThat(keepsIntegers(ExpressionOperator.NE_COLUMN, 5, 5, 6, 6)).isTrue();
    assertThat(keepsIntegers(ExpressionOperator.NE_COLUMN, 5, 6, 5, 5)).isTrue();
  }

  @Test
  void aFileInWhichOneSideIsAllNullIsSkipped() {
    ColumnStatistics some = range("int", encodeInteger(1), encodeInteger(2));
    ColumnStatistics none = new ColumnStatistics(HiveType.parse("int"), null, null, 5, 5, 0);
    for (ExpressionOperator operator :
        new ExpressionOperator[] {ExpressionOperator.NE_COLUMN, ExpressionOperator.LTEQ_COLUMN}) {
      assertThat(keeps(operator, some, none)).isFalse();
      assertThat(keeps(operator, none, some)).isFalse();
      assertThat(keeps(operator, some, some)).isTrue();
    }
  }

  @Test
  void timestampsMayBeShown36HoursAway() {
    ColumnStatistics at0 = range("timestamp", encodeTimestamp(0), encodeTimestamp(0));
    ColumnStatistics before72 =
        range("timestamp", encodeTimestamp(-72 * HOUR), encodeTimestamp(-72 * HOUR));
    ColumnStatistics earlier =
        range("timestamp", encodeTimestamp(-72 * HOUR - 1), encodeTimestamp(-72 * HOUR - 1));
    assertThat(keeps(ExpressionOperator.LTEQ_COLUMN, at0, before72)).isTrue();
    assertThat(keeps(ExpressionOperator.LT_COLUMN, at0, before72)).isFalse();
    assertThat(keeps(ExpressionOperator.LTEQ_COLUMN, at0, earlier)).isFalse();
    assertThat(keeps(ExpressionOperator.EQ_COLUMN, at0, before72)).isTrue();
    assertThat(keeps(ExpressionOperator.EQ_COLUMN, before72, at0)).isTrue();
    assertThat(keeps(ExpressionOperator.EQ_COLUMN, earlier, at0)).isFalse();
    assertThat(keeps(ExpressionOperator.NE_COLUMN, at0, at0)).isTrue();
  }

  @Test
  void timestampsAtTheEndsOfTheRangeDoNotWrapAround() {
    ColumnStatistics least =
        range("timestamp", encodeTimestamp(Long.MIN_VALUE), encodeTimestamp(Long.MIN_VALUE));
    ColumnStatistics greatest =
        range("timestamp", encodeTimestamp(Long.MAX_VALUE), encodeTimestamp(Long.MAX_VALUE));
    assertThat(keeps(ExpressionOperator.LT_COLUMN, least, greatest)).isTrue();
    assertThat(keeps(ExpressionOperator.LT_COLUMN, greatest, least)).isFalse();
    assertThat(keeps(ExpressionOperator.EQ_COLUMN, least, greatest)).isFalse();
  }

  @Test
  void stringsThatUtf8AndUtf16OrderDifferentlyDecideNoOrder() {
    ColumnStatistics ascii = range("string", encodeString("b"), encodeString("c"));
    ColumnStatistics lower = range("string", encodeString("a"), encodeString("b"));
    ColumnStatistics emoji =
        range("string", encodeString("\uD83D\uDE00"), encodeString("\uD83D\uDE01"));
    ColumnStatistics privateUse = range("string", encodeString("\uE000"), encodeString("\uE001"));
    assertThat(keeps(ExpressionOperator.LT_COLUMN, ascii, lower)).isFalse();
    assertThat(keeps(ExpressionOperator.LT_COLUMN, emoji, lower))
        .as("one bound that both order alike")
        .isFalse();
    assertThat(keeps(ExpressionOperator.LT_COLUMN, emoji, privateUse))
        .as("less in UTF-16")
        .isTrue();
    assertThat(keeps(ExpressionOperator.LTEQ_COLUMN, emoji, privateUse)).isTrue();
    assertThat(keeps(ExpressionOperator.EQ_COLUMN, emoji, privateUse)).isFalse();
  }

  @Test
  void doublesDecideOnlyWhereThereIsNoNaN() {
    ColumnStatistics high = range("double", encodeDouble(5), encodeDouble(6));
    ColumnStatistics low = range("float", encodeDouble(1), encodeDouble(2));
    ColumnStatistics unknown =
        new ColumnStatistics(HiveType.parse("float"), encodeDouble(1), encodeDouble(2), 0, 5, -1);
    assertThat(keeps(ExpressionOperator.LT_COLUMN, high, low)).isFalse();
    assertThat(keeps(ExpressionOperator.LT_COLUMN, high, unknown)).isTrue();
    assertThat(keeps(ExpressionOperator.EQ_COLUMN, unknown, high)).isTrue();
  }
}
