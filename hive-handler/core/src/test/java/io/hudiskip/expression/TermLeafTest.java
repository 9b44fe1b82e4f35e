// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.expression;

import static io.hudiskip.conformance.Expressions.and;
import static io.hudiskip.conformance.Expressions.expression;
import static io.hudiskip.conformance.Expressions.term;
import static io.hudiskip.encoding.ValueEncoding.encodeDouble;
import static io.hudiskip.encoding.ValueEncoding.encodeInteger;
import static io.hudiskip.encoding.ValueEncoding.encodeString;
import static io.hudiskip.encoding.ValueEncoding.encodeTimestamp;
import static org.assertj.core.api.Assertions.assertThat;

import io.hudiskip.encoding.HiveType;
import io.hudiskip.encoding.ValueEncoding;
import io.hudiskip.expression.TermEvaluator.Outcome;
import io.hudiskip.expression.TermEvaluator.Value;
import io.hudiskip.statistics.ColumnStatistics;
import io.hudiskip.statistics.StatisticsTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TermLeafTest {
  private static final TermEvaluator NEVER_TRUE = (term, row) -> Optional.of(Outcome.FALSE);

  /** One file, of whose column "a" this is known. */
  private static StatisticsTable file(ColumnStatistics range) {
    ColumnStatistics[] ranges = {range};
    return StatisticsTable.of(1, Collections.singletonMap("a", ranges));
  }

  private static ColumnStatistics constant(String type, byte[] value) {
    return new ColumnStatistics(HiveType.parse(type), value, value, 0, 5, 0);
  }

  /** Whether TERM "is TRUE" keeps a file with this column where Hive says FALSE. */
  private static boolean isKept(String readAs, ColumnStatistics range) {
    return expression(term(0, 1, "a", readAs)).evaluate(file(range), NEVER_TRUE).get(0);
  }

  @ParameterizedTest(name = "{0} with outcomes {1}: {2}")
  @CsvSource({
    "TRUE, 1, true", "TRUE, 2, false", "TRUE, 6, false", "TRUE, 3, true",
    "FALSE, 1, false", "FALSE, 2, true", "FALSE, 5, false", "FALSE, 6, true",
    "NULL, 4, true", "NULL, 3, false", "NULL, 1, false", "NULL, 5, true",
  })
  void aFileIsKeptForTheRequestedOutcomes(Outcome outcome, int outcomes, boolean kept) {
    StatisticsTable statistics = file(constant("int", encodeInteger(1)));
    BitSet result =
        expression(term(3, outcomes, "a", "int"))
            .evaluate(statistics, (term, row) -> Optional.of(outcome));
    assertThat(result.get(0)).isEqualTo(kept);
  }

  @Test
  void theEvaluatorIsCalledOnceForEachRowOfValuesInTheColumnsOrder() {
    ColumnStatistics x = constant("string", encodeString("x"));
    ColumnStatistics y = constant("string", encodeString("y"));
    ColumnStatistics seven = constant("int", encodeInteger(7));
    Map<String, ColumnStatistics[]> columns = new HashMap<>();
    columns.put("b", new ColumnStatistics[] {x, y, x, y, null});
    columns.put("a", new ColumnStatistics[] {seven, seven, seven, seven, null});
    List<String> asked = new ArrayList<>();
    TermEvaluator evaluator =
        (term, row) -> {
          StringBuilder question = new StringBuilder().append(term);
          for (Value value : row) {
            question.append(' ').append(value.column()).append(':').append(value.type());
          }
          String b = ValueEncoding.decodeString(row.get(0).encoded());
          asked.add(question + " " + b + ValueEncoding.decodeInteger(row.get(1).encoded()));
          return Optional.of(b.equals("x") ? Outcome.TRUE : Outcome.FALSE);
        };
    HudiExpression twice =
        expression(
            and(
                term(4, 1, "b", "string", "a", "bigint"),
                term(4, 5, "b", "string", "a", "bigint")));
    BitSet kept = twice.evaluate(StatisticsTable.of(5, columns), evaluator);
    assertThat(kept.stream())
        .as("b is x in 0 and 2, nothing is known of 4")
        .containsExactly(0, 2, 4);
    assertThat(asked).containsExactly("4 b:string a:bigint x7", "4 b:string a:bigint y7");
    assertThat(twice.columns()).containsExactly("a", "b");
  }

  @Test
  void aFileIsKeptWhenTheEvaluatorHasNoAnswerOrFails() {
    StatisticsTable statistics = file(constant("int", encodeInteger(1)));
    HudiExpression isTrue = expression(term(0, 1, "a", "int"));
    List<TermEvaluator> failing =
        Arrays.asList(
            (term, row) -> Optional.empty(),
            (term, row) -> {
              throw new IllegalStateException("no such function");
            },
            (term, row) -> {
              throw new NoClassDefFoundError("com/example/Udf");
            },
            (term, row) -> {
              throw new StackOverflowError();
            });
    for (TermEvaluator evaluator : failing) {
      assertThat(isTrue.evaluate(statistics, evaluator).get(0)).isTrue();
    }
    assertThat(isTrue.evaluate(statistics).get(0)).as("no evaluator").isTrue();
  }

  @Test
  void allOutcomesKeepEveryFileWithoutEvaluation() {
    StatisticsTable statistics = file(constant("int", encodeInteger(1)));
    TermEvaluator evaluator =
        (term, row) -> {
          throw new AssertionError("asked");
        };
    assertThat(expression(term(0, 7, "a", "int")).evaluate(statistics, evaluator).get(0)).isTrue();
  }

  @Test
  void aColumnWithOneValueInEveryRowIsDecided() {
    assertThat(isKept("int", constant("int", encodeInteger(1)))).isFalse();
    assertThat(isKept("bigint", constant("int", encodeInteger(1)))).as("widened").isFalse();
    assertThat(isKept("string", constant("string", encodeString("")))).isFalse();
    assertThat(isKept("double", constant("double", encodeDouble(1.5)))).isFalse();
    assertThat(isKept("date", constant("date", ValueEncoding.encodeDate(3)))).isFalse();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "two bounds, 1, 2, 0, 5",
    "no upper bound, 1, , 0, 5",
    "no lower bound, , 1, 0, 5",
    "a NULL, 1, 1, 1, 5",
    "no null count, 1, 1, -1, 5",
    "no value count, 1, 1, 0, -1",
    "no rows, 1, 1, 0, 0",
  })
  void aColumnThatMayHaveAnotherValueIsNot(
      String what, Long lower, Long upper, long nulls, long rows) {
    byte[] low = lower == null ? null : encodeInteger(lower);
    byte[] high = upper == null ? null : encodeInteger(upper);
    assertThat(
            isKept("int", new ColumnStatistics(HiveType.parse("int"), low, high, nulls, rows, -1)))
        .as(what)
        .isTrue();
  }

  @Test
  void aColumnWhoseTypeIsReadWithLossIsNot() {
    assertThat(isKept("int", constant("bigint", encodeInteger(1)))).isTrue();
    assertThat(isKept("int", constant("int", new byte[] {1}))).as("not an int").isTrue();
  }

  @Test
  void aValueThatIsNotItsOwnBoundIsNotDecided() {
    assertThat(isKept("timestamp", constant("timestamp", encodeTimestamp(0)))).isTrue();
    assertThat(isKept("double", constant("double", encodeDouble(0.0)))).as("or -0.0").isTrue();
    byte[] bound = encodeDouble(1.5);
    for (long nans : new long[] {ColumnStatistics.UNKNOWN_COUNT, 1}) {
      assertThat(
              isKept(
                  "double",
                  new ColumnStatistics(HiveType.parse("double"), bound, bound, 0, 5, nans)))
          .as("%d NaNs", nans)
          .isTrue();
    }
  }
}
