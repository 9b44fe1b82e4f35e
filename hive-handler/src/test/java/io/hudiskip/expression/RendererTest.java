/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.expression;

import static io.hudiskip.conformance.Expressions.columnPair;
import static io.hudiskip.conformance.Expressions.connective;
import static io.hudiskip.conformance.Expressions.constant;
import static io.hudiskip.conformance.Expressions.expression;
import static io.hudiskip.conformance.Expressions.leaf;
import static io.hudiskip.conformance.Expressions.ranges;
import static io.hudiskip.conformance.Expressions.term;
import static io.hudiskip.encoding.ValueEncoding.encodeBoolean;
import static io.hudiskip.encoding.ValueEncoding.encodeDate;
import static io.hudiskip.encoding.ValueEncoding.encodeDecimal;
import static io.hudiskip.encoding.ValueEncoding.encodeDouble;
import static io.hudiskip.encoding.ValueEncoding.encodeInteger;
import static io.hudiskip.encoding.ValueEncoding.encodeString;
import static io.hudiskip.encoding.ValueEncoding.encodeTimestamp;
import static org.assertj.core.api.Assertions.assertThat;

import io.hudiskip.conformance.JvmZones;
import io.hudiskip.thrift.ExpressionNode;
import io.hudiskip.thrift.ExpressionOperator;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What Java writes; that Python writes the same is held to {@code expression.json}. */
class RendererTest {
  private static final byte[] NO_END = {};

  private static String equalTo(String type, byte[] value) {
    return expression(leaf(ExpressionOperator.EQ, "a", type, value)).toString();
  }

  @Test
  void literalsAreShownAsPeopleWriteThemInEveryZone() throws Exception {
    JvmZones.inEach(
        zone -> {
          assertThat(equalTo("boolean", encodeBoolean(true))).isEqualTo("a = true");
          assertThat(equalTo("tinyint", encodeInteger(-5))).isEqualTo("a = -5");
          assertThat(equalTo("decimal(10,2)", encodeDecimal(new BigDecimal("-1234.50"))))
              .isEqualTo("a = -1234.5");
          assertThat(equalTo("decimal(10,2)", encodeDecimal(new BigDecimal("1000"))))
              .isEqualTo("a = 1000");
          assertThat(equalTo("string", encodeString("it's \\ 日本")))
              .isEqualTo("a = 'it\\'s \\\\ 日本'");
          assertThat(equalTo("date", encodeDate(-1))).isEqualTo("a = '1969-12-31'");
          assertThat(equalTo("timestamp", encodeTimestamp(-1)))
              .isEqualTo("a = '1969-12-31 23:59:59.999999'");
          assertThat(equalTo("timestamp", encodeTimestamp(1_615_689_000_500_000L)))
              .isEqualTo("a = '2021-03-14 02:30:00.500000'");
          assertThat(equalTo("timestamp", encodeTimestamp(1_615_689_000_000_000L)))
              .isEqualTo("a = '2021-03-14 02:30:00'");
        });
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "0.0, 0.0",
    "-0.0, 0.0",
    "1.5, 1.5",
    "-1.0, -1.0",
    "100, 100.0",
    "0.1, 0.1",
    "1e15, 1000000000000000.0",
    "1e16, 1e+16",
    "-1.25e16, -1.25e+16",
    "1e22, 1e+22",
    "0.0001, 0.0001",
    "0.00001, 1e-05",
    "2.5e-7, 2.5e-07",
    "4.9e-324, 5e-324",
    "1.7976931348623157e308, 1.7976931348623157e+308",
    "2e23, 2e+23",
    "0.10000000149011612, 0.10000000149011612",
    "Infinity, inf",
    "-Infinity, -inf",
    "NaN, nan",
  })
  void doublesAreShownWithAsFewDigitsAsTellThemApart(double value, String text) {
    assertThat(equalTo("double", encodeDouble(value))).isEqualTo("a = " + text);
  }

  @Test
  void eachOperatorHasItsSymbol() {
    byte[] one = encodeInteger(1);
    List<List<ExpressionNode>> leaves =
        Arrays.asList(
            leaf(ExpressionOperator.EQ, "a", "int", one),
            leaf(ExpressionOperator.NE, "a", "int", one),
            leaf(ExpressionOperator.LT, "a", "int", one),
            leaf(ExpressionOperator.LTEQ, "a", "int", one),
            leaf(ExpressionOperator.GT, "a", "int", one),
            leaf(ExpressionOperator.GTEQ, "a", "int", one),
            leaf(ExpressionOperator.IN, "a", "int", one, encodeInteger(2)),
            leaf(ExpressionOperator.NOT_IN, "a", "int", one),
            leaf(ExpressionOperator.IS_NULL, "a", "map<string,int>"),
            leaf(ExpressionOperator.IS_NOT_NULL, "a", "int"),
            columnPair(ExpressionOperator.EQ_COLUMN, "a", "int", "s.b", "int"),
            columnPair(ExpressionOperator.NE_COLUMN, "a", "int", "s.b", "int"),
            columnPair(ExpressionOperator.LT_COLUMN, "a", "int", "s.b", "int"),
            columnPair(ExpressionOperator.LTEQ_COLUMN, "a", "int", "s.b", "int"),
            term(12, 1, "a", "int", "s.b", "string"),
            constant(ExpressionOperator.UNKNOWN),
            constant(ExpressionOperator.NEVER));
    assertThat(expression(connective(ExpressionOperator.OR, leaves)))
        .hasToString(
            "a = 1 or a != 1 or a < 1 or a <= 1 or a > 1 or a >= 1 or a in (1, 2) or a not in (1)"
                + " or a is null or a is not null or a = s.b or a != s.b or a < s.b or a <= s.b"
                + " or hive(term 12 over a, s.b) or any or none");
  }

  @Test
  void rangesAreShownAsIntervals() {
    byte[] one = encodeInteger(1);
    byte[] five = encodeInteger(5);
    byte[] seven = encodeInteger(7);
    byte[] nine = encodeInteger(9);
    assertThat(
            expression(
                ranges(
                    "a",
                    "int",
                    new byte[] {4, 15, 13, 1},
                    NO_END,
                    one,
                    five,
                    five,
                    five,
                    seven,
                    nine,
                    NO_END)))
        .as("[5] and (5, 7] are not apart")
        .hasToString("any [values of RANGES on column a]");
    assertThat(
            expression(
                ranges(
                    "a",
                    "int",
                    new byte[] {4, 15, 13, 1},
                    NO_END,
                    one,
                    encodeInteger(3),
                    encodeInteger(3),
                    five,
                    seven,
                    nine,
                    NO_END)))
        .hasToString("a in {(-∞, 1), [3], (5, 7], (9, ∞)}");
    assertThat(expression(ranges("a", "int", new byte[] {0}, NO_END, NO_END)))
        .hasToString("a in {(-∞, ∞)}");
    assertThat(expression(ranges("a", "double", new byte[0]))).hasToString("a in {}");
  }

  @Test
  void groupsInsideGroupsHaveParentheses() {
    List<ExpressionNode> leaf = leaf(ExpressionOperator.EQ, "a", "int", encodeInteger(1));
    List<ExpressionNode> or = connective(ExpressionOperator.OR, Arrays.asList(leaf, leaf));
    List<ExpressionNode> alone =
        connective(ExpressionOperator.AND, Collections.singletonList(leaf));
    assertThat(expression(connective(ExpressionOperator.AND, Arrays.asList(or, leaf, alone))))
        .hasToString("(a = 1 or a = 1) and a = 1 and (a = 1)");
  }

  @Test
  void longAndMultiLineLiteralsAreShownOnOneShortLine() {
    StringBuilder text = new StringBuilder("a\nhudi-skip scan kept=0\u2028");
    for (int i = 0; i < 1000; i++) {
      text.append('x');
    }
    assertThat(equalTo("string", encodeString(text.toString())))
        .hasSizeLessThan(100)
        .doesNotContain("\n", "\u2028")
        .endsWith("x…'");
    String faces = String.join("", Collections.nCopies(81, "\uD83D\uDE00"));
    assertThat(equalTo("string", encodeString(faces)))
        .isEqualTo("a = '" + faces.substring(0, 2 * 79) + "…'");
    assertThat(equalTo("string", encodeString(faces.substring(2))))
        .isEqualTo("a = '" + faces.substring(2) + "'");
    byte[][] many = new byte[1000][];
    for (int i = 0; i < many.length; i++) {
      many[i] = encodeInteger(i);
    }
    assertThat(expression(leaf(ExpressionOperator.IN, "i", "int", many)))
        .hasToString("i in (0, 1, 2, 3, 4, … 995 more)");
  }

  @Test
  void anExpressionIsCutAt2000Characters() {
    String column = String.join("", Collections.nCopies(3000, "\uD83D\uDE00"));
    String text = expression(leaf(ExpressionOperator.IS_NULL, column, "int")).toString();
    assertThat(text.codePointCount(0, text.length())).isEqualTo(2000);
    assertThat(text).startsWith(column.substring(0, 2 * 1999)).endsWith("…");
  }

  @Test
  void bytesThatAreNoUtf8AreShownAsBytes() {
    assertThat(equalTo("string", new byte[] {'a', (byte) 0xE2, (byte) 0x82, 'b', (byte) 0xFF}))
        .isEqualTo("a = 'a\\\\xe2\\\\x82b\\\\xff'");
  }

  @Test
  void daysBeyondTheCalendarAreShownAsNumbers() {
    assertThat(equalTo("date", encodeDate(Long.MAX_VALUE)))
        .isEqualTo("a = 9223372036854775807 days");
    assertThat(equalTo("timestamp", encodeTimestamp(Long.MIN_VALUE)))
        .isEqualTo("a = -9223372036854775808 microseconds");
    assertThat(equalTo("date", encodeDate(-719_162))).isEqualTo("a = '0001-01-01'");
    assertThat(equalTo("date", encodeDate(-719_163))).isEqualTo("a = -719163 days");
  }
}
