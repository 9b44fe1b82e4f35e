// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.expression.leaf;

import io.hudiskip.compile.encoding.HiveType;
import io.hudiskip.compile.expression.Operator;
import io.hudiskip.compile.expression.ReadColumn;
import io.hudiskip.compile.expression.TermAnswers;
import io.hudiskip.compile.expression.TermEvaluator;
import io.hudiskip.compile.kind.IndexKind;
import io.hudiskip.compile.statistics.ColumnStatistics;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** TERM: a term of the filter that Hive evaluates where its columns have few possible values. */
public final class TermLeaf extends StatisticsLeaf {

  /** TRUE, FALSE and NULL. */
  public static final int ALL_OUTCOMES = 0b111;

  /** Most rows of possible values for which the term is evaluated in a file. */
  static final int MOST_ROWS = 256;

  private final int term;
  private final int outcomes;

  /**
   * Creates a leaf.
   *
   * @param term index of the term in the nodes of the filter tree
   * @param outcomes the truth values that keep a file: the sum of 1 TRUE, 2 FALSE, 4 NULL
   * @param columns all that the term reads
   */
  public TermLeaf(int term, int outcomes, List<ReadColumn> columns) {
    super(Operator.TERM, columns);
    this.term = term;
    this.outcomes = outcomes;
  }

  @Override
  boolean mayBeTrue(ColumnStatistics[] ranges, TermAnswers terms) {
    if (outcomes == ALL_OUTCOMES) {
      return true;
    }
    List<List<byte[]>> possible = new ArrayList<>(ranges.length);
    int rows = 1;
    for (int i = 0; i < ranges.length; i++) {
      HiveType type = columns().get(i).type();
      int most = MOST_ROWS / rows;
      Optional<List<byte[]>> values = PossibleValues.of(type, ranges[i], most);
      if (!values.isPresent() || values.get().size() > most) {
        return true;
      }
      possible.add(values.get());
      rows *= values.get().size();
    }
    if (rows > 1 && terms.areMany()) {
      return true;
    }
    // Every row of the file is one of these; the term reads nothing else. Otherwise it has a
    // dropped outcome in all of them.
    for (int row = 0; row < rows; row++) {
      Optional<TermEvaluator.Outcome> outcome = terms.outcome(term, row(possible, row));
      if (!outcome.isPresent() || (flag(outcome.get()) & outcomes) != 0) {
        return true;
      }
    }
    return false;
  }

  /** One of the combinations of the columns' possible values. */
  private List<TermEvaluator.Value> row(List<List<byte[]>> possible, int number) {
    List<TermEvaluator.Value> row = new ArrayList<>(possible.size());
    int rest = number;
    for (int i = 0; i < possible.size(); i++) {
      ReadColumn column = columns().get(i);
      List<byte[]> values = possible.get(i);
      byte[] value = values.get(rest % values.size());
      row.add(new TermEvaluator.Value(column.name(), column.type(), value));
      rest /= values.size();
    }
    return row;
  }

  @Override
  protected boolean canUse(IndexKind kind) {
    return outcomes != ALL_OUTCOMES && kind.answers().contains(IndexKind.Answer.ALL_VALUES);
  }

  private static int flag(TermEvaluator.Outcome outcome) {
    switch (outcome) {
      case TRUE:
        return 1;
      case FALSE:
        return 2;
      default:
        return 4;
    }
  }

  @Override
  protected String text() {
    String names = columns().stream().map(ReadColumn::name).collect(Collectors.joining(", "));
    return operator().text() + "(term " + term + " over " + names + ")";
  }
}
