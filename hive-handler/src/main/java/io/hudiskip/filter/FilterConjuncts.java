/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.filter;

import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hive.ql.plan.ExprNodeDesc;

/** A filter as Hive's own expression nodes, for Hive's own evaluator. */
public final class FilterConjuncts {
  private FilterConjuncts() {}

  /**
   * The conjuncts that {@link TypedFilter} is made of: without the synthetic ones, whose values are
   * known only at run time.
   *
   * @param predicate Hive's filter; it is not changed, and the result shares its nodes
   * @return empty when the filter exceeds a limit, as does its {@link TypedFilter} then
   */
  public static Optional<List<ExprNodeDesc>> of(ExprNodeDesc predicate) {
    try {
      return Optional.of(FilterTermBuilder.conjunctNodes(predicate));
    } catch (FilterLimitException e) {
      return Optional.empty();
    }
  }
}
