/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.expression;

import static io.hudiskip.conformance.Expressions.expression;
import static io.hudiskip.conformance.Expressions.leaf;
import static io.hudiskip.conformance.Expressions.ranges;
import static io.hudiskip.encoding.ValueEncoding.encodeDouble;
import static io.hudiskip.encoding.ValueEncoding.encodeInteger;
import static org.assertj.core.api.Assertions.assertThat;

import io.hudiskip.encoding.HiveType;
import io.hudiskip.statistics.AllValues;
import io.hudiskip.statistics.ColumnStatistics;
import io.hudiskip.thrift.ExpressionNode;
import io.hudiskip.thrift.ExpressionOperator;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class ValueLeafTest {
  private static final byte[] NO_END = {};

  /** [1, 5), [7], (9, ∞). */
  private static final List<ExpressionNode> RANGES =
      ranges(
          "a",
          "int",
          new byte[] {7, 15, 1},
          encodeInteger(1),
          encodeInteger(5),
          encodeInteger(7),
          encodeInteger(7),
          encodeInteger(9),
          NO_END);

  private static ColumnStatistics range(long lower, long upper) {
    return new ColumnStatistics(
        HiveType.parse("int"), encodeInteger(lower), encodeInteger(upper), 0, 5, -1);
  }

  private static boolean keeps(List<ExpressionNode> nodes, ColumnStatistics range) {
    InMemoryStatistics statistics = new InMemoryStatistics(1);
    statistics.put("a", 0, range);
    return expression(nodes).evaluate(statistics).get(0);
  }

  @Test
  void aFileWhoseValuesLieBetweenTheRangesIsSkipped() {
    assertThat(keeps(RANGES, range(-9, 0))).as("below all").isFalse();
    assertThat(keeps(RANGES, range(-9, 1))).isTrue();
    assertThat(keeps(RANGES, range(4, 6))).isTrue();
    assertThat(keeps(RANGES, range(5, 6))).as("from an end that is excluded").isFalse();
    assertThat(keeps(RANGES, range(6, 8))).as("around a point").isTrue();
    assertThat(keeps(RANGES, range(8, 9))).as("up to an end that is excluded").isFalse();
    assertThat(keeps(RANGES, range(100, 100))).as("no high end").isTrue();
  }

  @Test
  void aBoundThatIsAbsentExcludesNothing() {
    byte[] eight = encodeInteger(8);
    assertThat(keeps(RANGES, new ColumnStatistics(HiveType.parse("int"), null, eight, 0, 5, -1)))
        .isTrue();
    assertThat(keeps(RANGES, new ColumnStatistics(HiveType.parse("int"), eight, null, 0, 5, -1)))
        .isTrue();
    assertThat(keeps(RANGES, new ColumnStatistics(HiveType.parse("int"), null, eight, 5, 5, -1)))
        .as("all NULL")
        .isFalse();
  }

  @Test
  void noRangesAtAllKeepOnlyFilesThatMayHaveNaN() {
    byte[] one = encodeDouble(1);
    List<ExpressionNode> none = ranges("a", "double", new byte[0]);
    assertThat(keeps(none, new ColumnStatistics(HiveType.parse("double"), one, one, 0, 5, 0)))
        .isFalse();
    assertThat(keeps(none, new ColumnStatistics(HiveType.parse("double"), one, one, 0, 5, -1)))
        .isTrue();
  }

  @Test
  void aValueSetHasTheOnlyValuesThatCanPass() {
    ColumnStatistics odd =
        range(1, 11)
            .with(
                "values",
                new AllValues(
                    Arrays.asList(encodeInteger(5), encodeInteger(11), encodeInteger(1))));
    assertThat(keeps(leaf(ExpressionOperator.EQ, "a", "int", encodeInteger(6)), odd)).isFalse();
    assertThat(keeps(leaf(ExpressionOperator.EQ, "a", "int", encodeInteger(11)), odd)).isTrue();
    assertThat(keeps(leaf(ExpressionOperator.LT, "a", "int", encodeInteger(1)), odd)).isFalse();
    assertThat(
            keeps(leaf(ExpressionOperator.IN, "a", "int", encodeInteger(4), encodeInteger(6)), odd))
        .isFalse();
    byte[][] all = {encodeInteger(1), encodeInteger(5), encodeInteger(11)};
    assertThat(keeps(leaf(ExpressionOperator.NOT_IN, "a", "int", all), odd)).isFalse();
    assertThat(
            keeps(
                leaf(ExpressionOperator.NOT_IN, "a", "int", encodeInteger(1), encodeInteger(5)),
                odd))
        .isTrue();
    byte[] open = {5};
    assertThat(keeps(ranges("a", "int", open, encodeInteger(5), encodeInteger(11)), odd)).isFalse();
    assertThat(keeps(ranges("a", "int", open, encodeInteger(1), encodeInteger(11)), odd)).isTrue();
    assertThat(keeps(leaf(ExpressionOperator.IS_NOT_NULL, "a", "int"), odd)).isTrue();
  }

  @Test
  void aValueSetLeavesOutNaN() {
    byte[] one = encodeDouble(1);
    List<ExpressionNode> isTwo = leaf(ExpressionOperator.EQ, "a", "double", encodeDouble(2));
    for (long nanCount : new long[] {1, ColumnStatistics.UNKNOWN_COUNT}) {
      ColumnStatistics range =
          new ColumnStatistics(HiveType.parse("double"), null, null, 0, 5, nanCount)
              .with("values", new AllValues(Collections.singletonList(one)));
      assertThat(keeps(isTwo, range)).isTrue();
    }
    assertThat(
            keeps(
                isTwo,
                new ColumnStatistics(HiveType.parse("double"), null, null, 0, 5, 0)
                    .with("values", new AllValues(Collections.singletonList(one)))))
        .isFalse();
  }
}
