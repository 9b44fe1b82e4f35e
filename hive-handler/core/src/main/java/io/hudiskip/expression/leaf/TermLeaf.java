// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.expression.leaf;

import io.hudiskip.expression.Operator;
import io.hudiskip.expression.ReadColumn;
import io.hudiskip.expression.TermAnswers;
import io.hudiskip.expression.TermEvaluator;
import io.hudiskip.statistics.ColumnStatistics;
import io.hudiskip.statistics.SingleValue;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** TERM: a term of the filter that Hive evaluates where each of its columns has a single value. */
public final class TermLeaf extends StatisticsLeaf {

  /** TRUE, FALSE and NULL. */
  public static final int ALL_OUTCOMES = 0b111;

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
    List<TermEvaluator.Value> row = new ArrayList<>(ranges.length);
    for (int i = 0; i < ranges.length; i++) {
      ReadColumn column = columns().get(i);
      if (!SingleValue.isCertain(column.type().kind(), ranges[i])) {
        return true;
      }
      row.add(new TermEvaluator.Value(column.name(), column.type(), ranges[i].lower()));
    }
    // Otherwise the term, which reads only these columns, has a dropped outcome in every row.
    return terms.outcome(term, row).map(outcome -> (flag(outcome) & outcomes) != 0).orElse(true);
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
