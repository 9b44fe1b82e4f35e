// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.conformance;

import static io.hudiskip.compile.encoding.ValueEncoding.encodeInteger;
import static io.hudiskip.conformance.Expressions.connective;
import static io.hudiskip.conformance.Expressions.constant;
import static io.hudiskip.conformance.Expressions.leaf;

import io.hudiskip.compile.encoding.ValueEncoding;
import io.hudiskip.compile.expression.TermEvaluator;
import io.hudiskip.thrift.ExpressionNode;
import io.hudiskip.thrift.ExpressionOperator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Generates conditions on integer columns, of which there are at least two. */
public final class RandomFilters {
  private static final List<ExpressionOperator> LEAVES =
      new ArrayList<>(EnumSet.range(ExpressionOperator.EQ, ExpressionOperator.TERM));

  /** In the order of their bits in TERM's outcomes. */
  private static final List<TermEvaluator.Outcome> OUTCOMES =
      Arrays.asList(
          TermEvaluator.Outcome.TRUE, TermEvaluator.Outcome.FALSE, TermEvaluator.Outcome.NULL);

  private final Random random;
  private final String[] columns;

  public RandomFilters(Random random, String... columns) {
    this.random = random;
    this.columns = columns;
  }

  /** An expression, and whether it is TRUE for a row; NULL and FALSE are both "not TRUE". */
  public static final class Filter {
    public final List<ExpressionNode> nodes;
    public final Predicate<Long[]> isTrue;

    Filter(List<ExpressionNode> nodes, Predicate<Long[]> isTrue) {
      this.nodes = nodes;
      this.isTrue = isTrue;
    }
  }

  /** A condition of at most that depth; 0 is a leaf. */
  public Filter filter(int depth) {
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
    int column = random.nextInt(columns.length);
    long[] literals = random.longs(1 + random.nextInt(4), -1, 22).sorted().distinct().toArray();
    long v = literals[0];
    long[] first = {v};
    switch (operator) {
      case EQ:
        return membership(operator, column, first, x -> x == v);
      case NE:
        return membership(operator, column, first, x -> x != v);
      case LT:
        return membership(operator, column, first, x -> x < v);
      case LTEQ:
        return membership(operator, column, first, x -> x <= v);
      case GT:
        return membership(operator, column, first, x -> x > v);
      case GTEQ:
        return membership(operator, column, first, x -> x >= v);
      case IN:
        return membership(operator, column, literals, x -> contains(literals, x));
      case NOT_IN:
        return membership(operator, column, literals, x -> !contains(literals, x));
      case RANGES:
        return ranges(column, literals);
      case EQ_COLUMN:
        return columnPair(operator, column, (a, b) -> a.equals(b));
      case NE_COLUMN:
        return columnPair(operator, column, (a, b) -> !a.equals(b));
      case LT_COLUMN:
        return columnPair(operator, column, (a, b) -> a < b);
      case LTEQ_COLUMN:
        return columnPair(operator, column, (a, b) -> a <= b);
      case DIFFERENCE:
        return difference(column, literals);
      case TERM:
        return random.nextBoolean() ? termOf(column) : termOf(0, 1);
      case IS_NULL:
        return new Filter(leaf(operator, columns[column], "bigint"), row -> row[column] == null);
      default:
        return new Filter(leaf(operator, columns[column], "bigint"), row -> row[column] != null);
    }
  }

  private static boolean contains(long[] sorted, long value) {
    return Arrays.binarySearch(sorted, value) >= 0;
  }

  private Filter membership(
      ExpressionOperator operator, int column, long[] literals, Predicate<Long> test) {
    byte[][] values =
        LongStream.of(literals).mapToObj(ValueEncoding::encodeInteger).toArray(byte[][]::new);
    return new Filter(
        leaf(operator, columns[column], "bigint", values),
        row -> row[column] != null && test.test(row[column]));
  }

  private Filter ranges(int column, long[] literals) {
    RandomRanges drawn = randomRanges(literals);
    return new Filter(
        Expressions.ranges(columns[column], "bigint", drawn.bounds, drawn.ends),
        row -> row[column] != null && drawn.isInside.test(row[column]));
  }

  private Filter difference(int column, long[] literals) {
    int other = random.nextInt(columns.length);
    RandomRanges drawn = randomRanges(literals);
    List<ExpressionNode> nodes =
        Expressions.ranges(columns[column], "int", drawn.bounds, drawn.ends);
    nodes.get(0).setOperator(ExpressionOperator.DIFFERENCE.getValue());
    nodes.get(0).setOtherColumn(columns[other]).setOtherType("bigint");
    return new Filter(
        nodes,
        row ->
            row[column] != null
                && row[other] != null
                && drawn.isInside.test(row[column] - row[other]));
  }

  /** Ranges as an expression has them, and whether a value lies in one. */
  private static final class RandomRanges {
    final byte[] bounds;
    final byte[][] ends;
    final Predicate<Long> isInside;

    RandomRanges(byte[] bounds, byte[][] ends, Predicate<Long> isInside) {
      this.bounds = bounds;
      this.ends = ends;
      this.isInside = isInside;
    }
  }

  /** Ranges between neighbouring ones of the literals, with ends of all kinds. */
  private RandomRanges randomRanges(long[] literals) {
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
      ends[2 * i] = hasLow ? encodeInteger(low) : ends[2 * i];
      ends[2 * i + 1] = hasHigh ? encodeInteger(high) : ends[2 * i + 1];
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
    return new RandomRanges(bounds, ends, isInside);
  }

  private Filter columnPair(ExpressionOperator operator, int column, BiPredicate<Long, Long> test) {
    int other = random.nextInt(columns.length);
    return new Filter(
        Expressions.columnPair(operator, columns[column], "int", columns[other], "bigint"),
        row -> row[column] != null && row[other] != null && test.test(row[column], row[other]));
  }

  private Filter termOf(int... read) {
    int term = random.nextInt(100);
    int outcomes = 1 + random.nextInt(7);
    String[] schema =
        IntStream.of(read)
            .mapToObj(column -> columns[column])
            .flatMap(name -> Stream.of(name, "bigint"))
            .toArray(String[]::new);
    return new Filter(
        Expressions.term(term, outcomes, schema),
        row -> {
          Object[] values = IntStream.of(read).mapToObj(column -> row[column]).toArray();
          return (outcomes & (1 << OUTCOMES.indexOf(outcome(term, values)))) != 0;
        });
  }

  /** The outcome of a generated TERM: a {@link TermEvaluator}. */
  public static Optional<TermEvaluator.Outcome> outcome(int term, List<TermEvaluator.Value> row) {
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
