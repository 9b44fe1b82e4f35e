// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.index;

import io.hudiskip.compile.expression.ExplainedNode;
import io.hudiskip.compile.expression.HudiExpression;
import io.hudiskip.compile.expression.TermEvaluator;
import io.hudiskip.compile.statistics.StatisticsTable;
import java.util.BitSet;
import java.util.List;

/** Replaces an index that cannot be used; only statistics from elsewhere count. */
public final class NoIndex implements StatisticsIndex {
  private final String reason;

  /** {@code reason} says why the index cannot be used, for display. */
  public NoIndex(String reason) {
    this.reason = reason;
  }

  @Override
  public long generation() {
    return 0;
  }

  @Override
  public String instant() {
    return "";
  }

  @Override
  public IndexState state() {
    return IndexState.none(reason);
  }

  @Override
  public BitSet keeps(
      HudiExpression expression,
      List<BaseFile> listing,
      StatisticsTable beside,
      TermEvaluator terms) {
    return expression.evaluate(beside, terms);
  }

  @Override
  public List<ExplainedNode> explain(
      HudiExpression expression,
      List<BaseFile> listing,
      StatisticsTable beside,
      TermEvaluator terms) {
    return expression.explain(beside, terms);
  }
}
