// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.savings.join;

import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.hadoop.hive.ql.exec.AppMasterEventOperator;
import org.apache.hadoop.hive.ql.exec.GroupByOperator;
import org.apache.hadoop.hive.ql.exec.Operator;
import org.apache.hadoop.hive.ql.exec.ReduceSinkOperator;
import org.apache.hadoop.hive.ql.exec.SelectOperator;

/**
 * Where rows of an operator go. A branch that only sends a join's values to another scan does not
 * count: Hive puts it beside the input of that join ({@code
 * DynamicPartitionPruningOptimization.generateEventOperatorPlan}, {@code
 * generateSemiJoinOperatorPlan}). Leaving out a row that a later join drops can only remove rows of
 * the other scan that have no other partner. Their one partner is dropped anyway, so no row of the
 * answer is lost.
 */
final class SideBranches {
  private SideBranches() {}

  /**
   * The one operator that reads the rows, in a plan that Hive is still making; empty if there is
   * none or if rows go several ways.
   */
  static Optional<Operator<?>> onlyReader(Operator<?> operator) {
    List<Operator<?>> readers =
        readers(operator, child -> sendsEvent(child) || sendsBloomFilter(child));
    return readers.size() == 1 ? Optional.of(readers.get(0)) : Optional.empty();
  }

  /**
   * Whether rows of a scan go several ways before the end of its vertex: then a row that one join
   * does not need may be needed elsewhere. A vertex does not show what follows it, so the branch of
   * a semijoin is a fork here.
   */
  static boolean isForked(Operator<?> scan) {
    Operator<?> operator = scan;
    while (!(operator instanceof ReduceSinkOperator)) {
      List<Operator<?>> readers = readers(operator, SideBranches::sendsEvent);
      if (readers.size() != 1) {
        return readers.size() > 1;
      }
      operator = readers.get(0);
    }
    return false;
  }

  private static List<Operator<?>> readers(
      Operator<?> operator, Predicate<Operator<?>> isSideBranch) {
    return operator.getChildOperators().stream()
        .filter(child -> !isSideBranch.test(child))
        .collect(Collectors.toList());
  }

  /** {@code SEL-GBY-EVENT}. */
  private static boolean sendsEvent(Operator<?> branch) {
    return end(branch, false) instanceof AppMasterEventOperator;
  }

  /** {@code SEL-GBY-RS-GBY-RS}: the sink of every other branch has a reader. */
  private static boolean sendsBloomFilter(Operator<?> branch) {
    Operator<?> end = end(branch, true);
    return end instanceof ReduceSinkOperator && end.getChildOperators().isEmpty();
  }

  private static Operator<?> end(Operator<?> branch, boolean throughSinks) {
    Operator<?> operator = branch;
    while (operator.getChildOperators().size() == 1
        && (operator instanceof SelectOperator
            || operator instanceof GroupByOperator
            || (throughSinks && operator instanceof ReduceSinkOperator))) {
      operator = operator.getChildOperators().get(0);
    }
    return operator;
  }
}
