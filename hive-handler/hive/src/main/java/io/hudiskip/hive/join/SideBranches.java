// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.join;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.hadoop.hive.ql.exec.AppMasterEventOperator;
import org.apache.hadoop.hive.ql.exec.GroupByOperator;
import org.apache.hadoop.hive.ql.exec.Operator;
import org.apache.hadoop.hive.ql.exec.ReduceSinkOperator;
import org.apache.hadoop.hive.ql.exec.SelectOperator;

/**
 * Where rows of an operator go. A branch that only sends a join's values to another scan ({@code
 * SEL-GBY-EVENT}) does not count: Hive puts it beside the join's own input, so it needs only rows
 * that the join can use.
 */
final class SideBranches {
  private SideBranches() {}

  /** The one operator that reads the rows; empty if there is none or if rows go several ways. */
  static Optional<Operator<?>> onlyReader(Operator<?> operator) {
    List<Operator<?>> readers = readers(operator);
    return readers.size() == 1 ? Optional.of(readers.get(0)) : Optional.empty();
  }

  /**
   * Whether rows of a scan go several ways before the end of its vertex: then a row that one join
   * does not need may be needed elsewhere.
   */
  static boolean isForked(Operator<?> scan) {
    Operator<?> operator = scan;
    while (!(operator instanceof ReduceSinkOperator)) {
      List<Operator<?>> readers = readers(operator);
      if (readers.size() != 1) {
        return readers.size() > 1;
      }
      operator = readers.get(0);
    }
    return false;
  }

  private static List<Operator<?>> readers(Operator<?> operator) {
    return operator.getChildOperators().stream()
        .filter(child -> !sendsValues(child))
        .collect(Collectors.toList());
  }

  private static boolean sendsValues(Operator<?> branch) {
    Operator<?> operator = branch;
    while (operator instanceof SelectOperator || operator instanceof GroupByOperator) {
      if (operator.getChildOperators().size() != 1) {
        return false;
      }
      operator = operator.getChildOperators().get(0);
    }
    return operator instanceof AppMasterEventOperator;
  }
}
