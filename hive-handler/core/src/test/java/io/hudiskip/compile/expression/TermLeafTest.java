// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.expression;

import static io.hudiskip.compile.encoding.ValueEncoding.encodeDouble;
import static io.hudiskip.compile.encoding.ValueEncoding.encodeInteger;
import static io.hudiskip.compile.encoding.ValueEncoding.encodeString;
import static io.hudiskip.compile.encoding.ValueEncoding.encodeTimestamp;
import static io.hudiskip.conformance.Expressions.and;
import static io.hudiskip.conformance.Expressions.expression;
import static io.hudiskip.conformance.Expressions.term;
import static org.assertj.core.api.Assertions.assertThat;

import io.hudiskip.compile.encoding.HiveType;
import io.hudiskip.compile.encoding.ValueEncoding;
import io.hudiskip.compile.expression.TermEvaluator.Outcome;
import io.hudiskip.compile.expression.TermEvaluator.Value;
import io.hudiskip.compile.kind.IndexKind;
import io.hudiskip.compile.kind.IndexKinds;
import io.hudiskip.compile.statistics.AllValues;
import io.hudiskip.compile.statistics.ColumnStatistics;
import io.hudiskip.compile.statistics.StatisticsTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
    "bounds far apart, 1, 257, 0, 5",
    "bounds farther apart than a long, -9223372036854775808, 9223372036854775807, 0, 5",
    "bounds in the wrong order, 2, 1, 0, 5",
    "no upper bound, 1, , 0, 5",
    "no lower bound, , 1, 0, 5",
    "a NULL and bounds far apart, 1, 256, 1, 5",
    "no null count, 1, 1, -1, 5",
    "no value count, 1, 1, 0, -1",
    "no rows, 1, 1, 0, 0",
  })
  void aColumnWhoseValuesCannotBeListedIsNotDecided(
      String what, Long lower, Long upper, long nulls, long rows) {
    byte[] low = lower == null ? null : encodeInteger(lower);
    byte[] high = upper == null ? null : encodeInteger(upper);
    assertThat(
            isKept(
                "bigint", new ColumnStatistics(HiveType.parse("int"), low, high, nulls, rows, -1)))
        .as(what)
        .isTrue();
  }

  @Test
  void aColumnWhoseTypeIsReadWithLossIsNotDecided() {
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

  /** The numbers, or NULL, for which Hive is asked if these statistics of a file are known. */
  private static List<String> asked(String readAs, ColumnStatistics range) {
    List<String> asked = new ArrayList<>();
    TermEvaluator evaluator =
        (term, row) -> {
          byte[] value = row.get(0).encoded();
          asked.add(value == null ? "NULL" : "" + ValueEncoding.decodeInteger(value));
          return Optional.of(Outcome.FALSE);
        };
    boolean kept = expression(term(0, 1, "a", readAs)).evaluate(file(range), evaluator).get(0);
    assertThat(kept).as("kept, though FALSE for all of %s", asked).isEqualTo(asked.isEmpty());
    return asked;
  }

  private static ColumnStatistics between(String type, long low, long high, long nulls) {
    return new ColumnStatistics(
        HiveType.parse(type), encodeInteger(low), encodeInteger(high), nulls, 9, -1);
  }

  private static ColumnStatistics ofValues(ColumnStatistics range, byte[]... values) {
    return range.with("values", new AllValues(Arrays.asList(values)));
  }

  @Test
  void hiveIsAskedForEachIntegerOrDayBetweenTheBounds() {
    assertThat(asked("int", between("int", -1, 2, 0))).containsExactly("-1", "0", "1", "2");
    assertThat(asked("bigint", between("int", 1, 256, 0))).hasSize(256);
    assertThat(asked("date", between("date", 3, 4, 0))).containsExactly("3", "4");
    long last = Long.MAX_VALUE;
    assertThat(asked("bigint", between("bigint", last - 1, last, 0)))
        .containsExactly("" + (last - 1), "" + last);
    assertThat(asked("timestamp", between("timestamp", 3, 4, 0))).isEmpty();
  }

  @Test
  void hiveIsAskedForNullWhereThereAreNulls() {
    assertThat(asked("int", between("int", 1, 2, 3))).containsExactly("NULL", "1", "2");
    ColumnStatistics nulls = new ColumnStatistics(HiveType.parse("int"), null, null, 9, 9, -1);
    assertThat(asked("int", nulls)).containsExactly("NULL");
  }

  @Test
  void hiveIsAskedForEachOfAllValues() {
    ColumnStatistics far = between("bigint", 0, 1L << 40, 1);
    assertThat(asked("bigint", ofValues(far, encodeInteger(0), encodeInteger(1L << 40))))
        .containsExactly("NULL", "0", "" + (1L << 40));
    byte[][] many = new byte[257][];
    for (int i = 0; i < many.length; i++) {
      many[i] = encodeInteger((long) i << 32);
    }
    assertThat(asked("bigint", ofValues(between("bigint", 0, 1L << 40, 0), many)))
        .as("too many")
        .isEmpty();
  }

  @Test
  void aFileIsKeptIfOneOfItsValuesMatches() {
    ColumnStatistics range =
        new ColumnStatistics(
            HiveType.parse("string"), encodeString("ax"), encodeString("cx"), 0, 5, -1);
    ColumnStatistics listed = ofValues(range, encodeString("ax"), encodeString("cx"));
    HudiExpression term = expression(term(0, 1, "a", "string"));
    for (String suffix : new String[] {"x", "y"}) {
      TermEvaluator endsWith =
          (index, row) -> {
            String text = ValueEncoding.decodeString(row.get(0).encoded());
            return Optional.of(text.endsWith("c" + suffix) ? Outcome.TRUE : Outcome.FALSE);
          };
      assertThat(term.evaluate(file(listed), endsWith).get(0))
          .as("like '%%c%s'", suffix)
          .isEqualTo(suffix.equals("x"));
      assertThat(term.evaluate(file(range), endsWith).get(0)).as("bounds alone").isTrue();
    }
  }

  @Test
  void hiveIsAskedForEachCombinationOfTheColumnsValues() {
    Map<String, ColumnStatistics[]> columns = new HashMap<>();
    columns.put("a", new ColumnStatistics[] {between("int", 1, 16, 0), between("int", 1, 16, 0)});
    columns.put("b", new ColumnStatistics[] {between("int", 1, 16, 0), between("int", 1, 17, 0)});
    Set<List<Long>> asked = new HashSet<>();
    TermEvaluator evaluator =
        (term, row) -> {
          asked.add(
              Arrays.asList(
                  ValueEncoding.decodeInteger(row.get(0).encoded()),
                  ValueEncoding.decodeInteger(row.get(1).encoded())));
          return Optional.of(Outcome.FALSE);
        };
    BitSet kept =
        expression(term(0, 1, "a", "int", "b", "int"))
            .evaluate(StatisticsTable.of(2, columns), evaluator);
    assertThat(kept.stream()).as("257 or more combinations are not tried").containsExactly(1);
    assertThat(asked).hasSize(256).contains(Arrays.asList(1L, 16L), Arrays.asList(16L, 1L));
  }

  @Test
  void aValueThatIsAmbiguousIsNotDecidedAmongOthers() {
    byte[] one = encodeDouble(1.0);
    ColumnStatistics range =
        new ColumnStatistics(HiveType.parse("double"), encodeDouble(-1.0), one, 0, 5, 0);
    assertThat(isKept("double", ofValues(range, encodeDouble(-1.0), one))).isFalse();
    assertThat(isKept("double", ofValues(range, encodeDouble(0.0), one))).as("or -0.0").isTrue();
    assertThat(isKept("double", ofValues(range, new byte[] {1}, one))).as("no double").isTrue();
  }

  @Test
  void setsOfAllValuesAreReadForTerms() {
    IndexKind values = IndexKinds.named("values").get();
    assertThat(expression(term(0, 1, "a", "string")).columnsUsing(values)).containsExactly("a");
    assertThat(expression(term(0, 7, "a", "string")).columnsUsing(values)).isEmpty();
  }

  @Test
  void afterManyQuestionsOnlyFilesWithOneRowOfValuesAreDecided() {
    int files = 100;
    ColumnStatistics[] ranges = new ColumnStatistics[files];
    for (int i = 0; i < files - 1; i++) {
      ranges[i] = between("int", 1_000L * i, 1_000L * i + 255, 0);
    }
    ranges[files - 1] = between("int", -1, -1, 0);
    BitSet kept =
        expression(term(0, 1, "a", "int"))
            .evaluate(StatisticsTable.of(files, Collections.singletonMap("a", ranges)), NEVER_TRUE);
    int decided = -Math.floorDiv(-TermAnswers.MANY, 256);
    assertThat(kept.nextSetBit(0)).as("the first that is kept").isEqualTo(decided);
    assertThat(kept.get(files - 2)).isTrue();
    assertThat(kept.get(files - 1)).as("a single value").isFalse();
  }

  @ParameterizedTest(name = "{0} {1}")
  @CsvSource({
    "char(3), 'ab', false",
    "char(3), 'abc', false",
    "char(3), 'ab ', true",
    "char(3), 'abcd', true",
    "char(3), 'ab cd', true",
    "varchar(3), 'äöü', false",
    "varchar(3), 'abcd', true",
    "string, 'abcd ', false",
  })
  void aTextThatHiveMayCutOrStripIsNotDecided(String type, String stored, boolean kept) {
    byte[] value = encodeString(stored);
    ColumnStatistics one = new ColumnStatistics(HiveType.parse("string"), value, value, 0, 5, -1);
    assertThat(isKept(type, one)).isEqualTo(kept);
    ColumnStatistics range =
        new ColumnStatistics(HiveType.parse("string"), encodeString(""), value, 0, 5, -1);
    assertThat(isKept(type, ofValues(range, encodeString(""), value))).isEqualTo(kept);
  }
}
