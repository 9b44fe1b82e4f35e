// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.expression.leaf;

import io.hudiskip.compile.encoding.HiveType;
import io.hudiskip.compile.expression.LiteralText;
import io.hudiskip.compile.expression.Operator;
import io.hudiskip.compile.expression.ReadColumn;
import io.hudiskip.compile.expression.TermAnswers;
import io.hudiskip.compile.kind.IndexKind;
import io.hudiskip.compile.statistics.ColumnStatistics;
import io.hudiskip.compile.statistics.Content;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * EQ, LT, LTEQ, GT, GTEQ, IN and RANGES: a column's value lies in one of several ranges. NE and
 * NOT_IN: it is none of several values. NULL never passes.
 */
public final class ValueLeaf extends StatisticsLeaf {
  /** Those for which the set of all values can decide where bounds cannot. */
  private static final Set<Operator> USING_ALL_VALUES =
      EnumSet.of(Operator.EQ, Operator.IN, Operator.NOT_IN, Operator.RANGES);

  /** Of so many values, a Bloom filter admits one in nearly every file, and asking takes time. */
  private static final int MOST_ASKED = 1_000;

  private final ReadColumn column;
  private final List<ValueRange> ranges;

  /** Whether index kinds are asked about single values. */
  private final boolean asksSingleValues;

  /**
   * Creates a leaf.
   *
   * @param ranges of values encoded for the column's type; they ascend and do not touch, and only
   *     RANGES may have none; single values for EQ, NE, IN and NOT_IN; kept, not copied
   */
  public ValueLeaf(Operator operator, ReadColumn column, List<ValueRange> ranges) {
    this(operator, column, ranges, ranges.stream().anyMatch(ValueRange::isPoint));
  }

  private ValueLeaf(
      Operator operator, ReadColumn column, List<ValueRange> ranges, boolean asksSingleValues) {
    super(operator, Collections.singletonList(column));
    this.column = column;
    this.ranges = Collections.unmodifiableList(ranges);
    this.asksSingleValues = asksSingleValues;
  }

  /**
   * IN with any number of values; of very many, bounds and sets of all values alone decide.
   *
   * @param values single values as for the constructor, at least one
   */
  public static ValueLeaf ofList(ReadColumn column, List<ValueRange> values) {
    return new ValueLeaf(Operator.IN, column, values, values.size() <= MOST_ASKED);
  }

  /** The ranges, ascending, that contain the values that pass or, if negated, do not pass. */
  public List<ValueRange> ranges() {
    return ranges;
  }

  /** Whether the values outside the ranges pass, not those inside. */
  public boolean isNegated() {
    return operator() == Operator.NE || operator() == Operator.NOT_IN;
  }

  @Override
  boolean mayBeTrue(ColumnStatistics[] statistics, TermAnswers terms) {
    ColumnStatistics known = statistics[0];
    if (known.isAllNull()) {
      // Every row is NULL, and the test is NULL for it.
      return false;
    }
    if (column.type().kind() == HiveType.Kind.FLOAT && known.nanCount() != 0) {
      // Statistics exclude NaN, and Hive orders it in two ways: a NaN row may match anything.
      return true;
    }
    for (Content content : known.contents().values()) {
      Optional<List<byte[]>> values = content.allValues();
      if (values.isPresent() && !hasPassing(values.get())) {
        // The file has only these values, and none of them passes.
        return false;
      }
    }
    return mayHold(known.lower(), known.upper(), known::mayContain);
  }

  private boolean hasPassing(List<byte[]> values) {
    for (byte[] value : values) {
      if (mayHold(value, value, other -> true)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether a column within these bounds may have a value that passes.
   *
   * @param lower no value is below it; null when absent
   * @param upper no value is above it; null when absent
   * @param isPossible false for a value that the column certainly lacks
   */
  private boolean mayHold(byte[] lower, byte[] upper, Predicate<byte[]> isPossible) {
    if (isNegated()) {
      // Otherwise every value is one of the listed ones.
      return !(Bounds.areEqual(lower, upper) && meets(lower, upper, value -> true));
    }
    return meets(lower, upper, isPossible);
  }

  private boolean meets(byte[] lower, byte[] upper, Predicate<byte[]> isPossible) {
    // Otherwise no range meets [lower, upper], where every value lies, or those that do are single
    // values that the file lacks.
    for (int i = firstNotBelow(lower); i < ranges.size(); i++) {
      ValueRange range = ranges.get(i);
      if (range.startsAbove(upper)) {
        return false;
      }
      if (!asksSingleValues || !range.isPoint() || isPossible.test(range.low())) {
        return true;
      }
    }
    return false;
  }

  /** Index of the first range that does not end below {@code lower}; the ranges ascend. */
  private int firstNotBelow(byte[] lower) {
    int from = 0;
    int to = ranges.size();
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (ranges.get(middle).endsBelow(lower)) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from;
  }

  @Override
  protected boolean canUse(IndexKind kind) {
    Set<IndexKind.Answer> answers = kind.answers();
    return (answers.contains(IndexKind.Answer.ALL_VALUES) && USING_ALL_VALUES.contains(operator()))
        || (answers.contains(IndexKind.Answer.SINGLE_VALUES) && !isNegated() && asksSingleValues);
  }

  @Override
  protected String text() {
    return column.name() + " " + operator().text() + " " + operand();
  }

  private String operand() {
    HiveType type = column.type();
    switch (operator()) {
      case RANGES:
        return "{" + LiteralText.listed(ranges, range -> range.text(type)) + "}";
      case IN:
      case NOT_IN:
        return "(" + LiteralText.listed(ranges, range -> LiteralText.of(type, range.low())) + ")";
      default:
        ValueRange only = ranges.get(0);
        return LiteralText.of(type, only.low() == null ? only.high() : only.low());
    }
  }
}
