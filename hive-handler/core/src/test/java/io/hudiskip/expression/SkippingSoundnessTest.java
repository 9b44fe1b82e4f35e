// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.expression;

import static io.hudiskip.conformance.Expressions.connective;
import static io.hudiskip.conformance.Expressions.constant;
import static io.hudiskip.conformance.Expressions.leaf;
import static org.assertj.core.api.Assertions.assertThat;

import io.hudiskip.conformance.Expressions;
import io.hudiskip.encoding.HiveType;
import io.hudiskip.encoding.ValueEncoding;
import io.hudiskip.statistics.AllValues;
import io.hudiskip.statistics.ColumnStatistics;
import io.hudiskip.thrift.ExpressionNode;
import io.hudiskip.thrift.ExpressionOperator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Generates files of rows, partial statistics of them, and expressions, and checks every row: a
 * file with a row for which the expression is TRUE must be kept.
 */
class SkippingSoundnessTest {
  private static final int ROUNDS = 3000;
  private static final int FILES = 20;
  private static final String[] COLUMNS = {"a", "b"};
  private static final List<ExpressionOperator> LEAVES =
      new ArrayList<>(EnumSet.range(ExpressionOperator.EQ, ExpressionOperator.TERM));

  /** In the order of their bits in TERM's outcomes. */
  private static final List<TermEvaluator.Outcome> OUTCOMES =
      Arrays.asList(
          TermEvaluator.Outcome.TRUE, TermEvaluator.Outcome.FALSE, TermEvaluator.Outcome.NULL);

  private final Random random = new Random(20260101);
  private long skipped;
  private long skippedByTerms;

  /** An expression, and whether it is TRUE for a row; NULL and FALSE are both "not TRUE". */
  private static final class Filter {
    final List<ExpressionNode> nodes;
    final Predicate<Long[]> isTrue;

    Filter(List<ExpressionNode> nodes, Predicate<Long[]> isTrue) {
      this.nodes = nodes;
      this.isTrue = isTrue;
    }
  }

  @Test
  void noFileWithAMatchingRowIsSkipped() {
    for (int round = 0; round < ROUNDS; round++) {
      List<List<Long[]>> files = new ArrayList<>();
      InMemoryStatistics statistics = new InMemoryStatistics(FILES);
      for (int file = 0; file < FILES; file++) {
        List<Long[]> rows = rows();
        files.add(rows);
        for (int column = 0; column < COLUMNS.length; column++) {
          if (random.nextInt(20) > 0) {
            statistics.put(COLUMNS[column], file, range(rows, column));
          }
        }
      }
      Filter filter = filter(round % 4);
      HudiExpression expression = Expressions.expression(filter.nodes);
      BitSet kept = expression.evaluate(statistics, SkippingSoundnessTest::outcome);
      // Each node over all files, not only over those that it still decides.
      assertThat(expression.explain(statistics, SkippingSoundnessTest::outcome).get(0).filesKept())
          .isEqualTo(kept.cardinality());
      for (int file = 0; file < FILES; file++) {
        if (!kept.get(file)) {
          skipped++;
          skippedByTerms += filter.nodes.size() == 1 && filter.nodes.get(0).isSetTerm() ? 1 : 0;
          assertThat(files.get(file))
              .as("rows of a file that %s skips", expression)
              .noneMatch(filter.isTrue);
        }
      }
    }
    assertThat(skipped)
        .as("skipped files: the check means something only when there are many")
        .isGreaterThan(ROUNDS * FILES / 10);
    assertThat(skippedByTerms).as("files that a term alone skips").isGreaterThan(50);
  }

  private List<Long[]> rows() {
    int count = random.nextInt(6);
    int base = random.nextInt(12);
    int spread = 1 + random.nextInt(4);
    int nulls = random.nextInt(4);
    List<Long[]> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Long[] row = new Long[COLUMNS.length];
      for (int column = 0; column < row.length; column++) {
        row[column] =
            random.nextInt(4) < nulls ? null : Long.valueOf(base + random.nextInt(spread));
      }
      rows.add(row);
    }
    return rows;
  }

  private ColumnStatistics range(List<Long[]> rows, int column) {
    long[] values =
        rows.stream().map(row -> row[column]).filter(Objects::nonNull).mapToLong(v -> v).toArray();
    // Bounds need not be reached, and any part may be absent.
    long slack = random.nextInt(4) == 0 ? 1 : 0;
    boolean hasLower = values.length > 0 && random.nextInt(8) > 0;
    boolean hasUpper = values.length > 0 && random.nextInt(8) > 0;
    ColumnStatistics range =
        new ColumnStatistics(
            HiveType.parse("int"),
            hasLower ? bytes(LongStream.of(values).min().getAsLong() - slack) : null,
            hasUpper ? bytes(LongStream.of(values).max().getAsLong() + slack) : null,
            random.nextInt(8) > 0 ? rows.size() - values.length : ColumnStatistics.UNKNOWN_COUNT,
            random.nextInt(8) > 0 ? rows.size() : ColumnStatistics.UNKNOWN_COUNT,
            ColumnStatistics.UNKNOWN_COUNT);
    List<byte[]> encoded =
        LongStream.of(values).distinct().mapToObj(v -> bytes(v)).collect(Collectors.toList());
    if (random.nextInt(4) == 0) {
      range = range.with("values", new AllValues(encoded));
    }
    return random.nextInt(4) == 0 ? range.with("bloom", BloomFilters.of(encoded)) : range;
  }

  private static byte[] bytes(long value) {
    return ValueEncoding.encodeInteger(value);
  }

  private Filter filter(int depth) {
    switch (depth == 0 ? 9 : random.nextInt(8)) {
      case 0:
      case 1:
        return combined(ExpressionOperator.AND, depth);
      case 2:
      case 3:
        return combined(ExpressionOperator.OR, depth);
      case 4:
        return random.nextInt(4) == 0 ? constantFilter() : leafFilter();
      default:
        return leafFilter();
    }
  }

  private Filter constantFilter() {
    return random.nextBoolean()
        ? new Filter(constant(ExpressionOperator.UNKNOWN), row -> true)
        : new Filter(constant(ExpressionOperator.NEVER), row -> false);
  }

  private Filter combined(ExpressionOperator operator, int depth) {
    List<Filter> children = new ArrayList<>();
    for (int i = 0; i <= random.nextInt(3); i++) {
      children.add(filter(depth - 1));
    }
    List<List<ExpressionNode>> nodes = new ArrayList<>();
    children.forEach(child -> nodes.add(child.nodes));
    return new Filter(
        connective(operator, nodes),
        operator == ExpressionOperator.AND
            ? row -> children.stream().allMatch(child -> child.isTrue.test(row))
            : row -> children.stream().anyMatch(child -> child.isTrue.test(row)));
  }

  private Filter leafFilter() {
    ExpressionOperator operator = LEAVES.get(random.nextInt(LEAVES.size()));
    int column = random.nextInt(COLUMNS.length);
    long[] literals = random.longs(1 + random.nextInt(4), -1, 17).sorted().distinct().toArray();
    long v = literals[0];
    switch (operator) {
      case EQ:
        return comparison(operator, column, v, x -> x == v);
      case NE:
        return comparison(operator, column, v, x -> x != v);
      case LT:
        return comparison(operator, column, v, x -> x < v);
      case LTEQ:
        return comparison(operator, column, v, x -> x <= v);
      case GT:
        return comparison(operator, column, v, x -> x > v);
      case GTEQ:
        return comparison(operator, column, v, x -> x >= v);
      case IN:
        return membership(operator, column, literals, x -> contains(literals, x));
      case NOT_IN:
        return membership(operator, column, literals, x -> !contains(literals, x));
      case RANGES:
        return ranges(column, literals);
      case EQ_COLUMN:
        return columnPair(operator, (a, b) -> a.equals(b));
      case NE_COLUMN:
        return columnPair(operator, (a, b) -> !a.equals(b));
      case LT_COLUMN:
        return columnPair(operator, (a, b) -> a < b);
      case LTEQ_COLUMN:
        return columnPair(operator, (a, b) -> a <= b);
      case TERM:
        return random.nextBoolean() ? termOf(column) : termOf(0, 1);
      case IS_NULL:
        return new Filter(leaf(operator, COLUMNS[column], "bigint"), row -> row[column] == null);
      default:
        return new Filter(leaf(operator, COLUMNS[column], "bigint"), row -> row[column] != null);
    }
  }

  private static boolean contains(long[] sorted, long value) {
    return Arrays.binarySearch(sorted, value) >= 0;
  }

  private static Filter comparison(
      ExpressionOperator operator, int column, long literal, Predicate<Long> test) {
    return membership(operator, column, new long[] {literal}, test);
  }

  private static Filter membership(
      ExpressionOperator operator, int column, long[] literals, Predicate<Long> test) {
    byte[][] values = LongStream.of(literals).mapToObj(v -> bytes(v)).toArray(byte[][]::new);
    return new Filter(
        leaf(operator, COLUMNS[column], "bigint", values),
        row -> row[column] != null && test.test(row[column]));
  }

  /** Ranges between neighbouring ones of the literals, with ends of all kinds. */
  private Filter ranges(int column, long[] literals) {
    int count = (literals.length + 1) / 2;
    byte[] bounds = new byte[count];
    byte[][] ends = new byte[2 * count][0];
    Predicate<Long> isInside = v -> false;
    for (int i = 0; i < count; i++) {
      boolean hasLow = i > 0 || random.nextInt(4) > 0;
      boolean hasHigh = i < count - 1 || random.nextInt(4) > 0;
      long low = literals[2 * i];
      // Without a partner, a point.
      long high = literals[Math.min(2 * i + 1, literals.length - 1)];
      boolean isPoint = low == high;
      boolean lowIncluded = hasLow && (isPoint || random.nextBoolean());
      boolean highIncluded = hasHigh && (isPoint || random.nextBoolean());
      ends[2 * i] = hasLow ? bytes(low) : ends[2 * i];
      ends[2 * i + 1] = hasHigh ? bytes(high) : ends[2 * i + 1];
      bounds[i] =
          (byte)
              ((hasLow ? 1 : 0)
                  + (lowIncluded ? 2 : 0)
                  + (hasHigh ? 4 : 0)
                  + (highIncluded ? 8 : 0));
      isInside =
          isInside.or(
              v ->
                  (!hasLow || v > low || (lowIncluded && v == low))
                      && (!hasHigh || v < high || (highIncluded && v == high)));
    }
    Predicate<Long> test = isInside;
    return new Filter(
        Expressions.ranges(COLUMNS[column], "bigint", bounds, ends),
        row -> row[column] != null && test.test(row[column]));
  }

  private static Filter columnPair(ExpressionOperator operator, BiPredicate<Long, Long> test) {
    return new Filter(
        Expressions.columnPair(operator, COLUMNS[0], "int", COLUMNS[1], "bigint"),
        row -> row[0] != null && row[1] != null && test.test(row[0], row[1]));
  }

  private Filter termOf(int... columns) {
    int term = random.nextInt(100);
    int outcomes = 1 + random.nextInt(7);
    String[] schema =
        IntStream.of(columns)
            .mapToObj(column -> COLUMNS[column])
            .flatMap(name -> Stream.of(name, "bigint"))
            .toArray(String[]::new);
    return new Filter(
        Expressions.term(term, outcomes, schema),
        row -> {
          Object[] values = IntStream.of(columns).mapToObj(column -> row[column]).toArray();
          return (outcomes & (1 << OUTCOMES.indexOf(outcome(term, values)))) != 0;
        });
  }

  private static Optional<TermEvaluator.Outcome> outcome(int term, List<TermEvaluator.Value> row) {
    return Optional.of(
        outcome(
            term,
            row.stream().map(value -> ValueEncoding.decodeInteger(value.encoded())).toArray()));
  }

  /** A function of the term and its values that nothing but trying tells anything about. */
  private static TermEvaluator.Outcome outcome(int term, Object[] values) {
    long seed = 31L * term + Arrays.hashCode(values);
    return OUTCOMES.get(new Random(seed * 0x9E3779B97F4A7C15L).nextInt(3));
  }
}
