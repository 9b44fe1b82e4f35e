// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.savings.join;

import java.util.Map;
import javax.annotation.Nullable;
import org.apache.hadoop.hive.ql.exec.CommonJoinOperator;
import org.apache.hadoop.hive.ql.exec.FilterOperator;
import org.apache.hadoop.hive.ql.exec.GroupByOperator;
import org.apache.hadoop.hive.ql.exec.LimitOperator;
import org.apache.hadoop.hive.ql.exec.Operator;
import org.apache.hadoop.hive.ql.exec.ReduceSinkOperator;
import org.apache.hadoop.hive.ql.exec.SelectOperator;
import org.apache.hadoop.hive.ql.exec.UnionOperator;
import org.apache.hadoop.hive.ql.plan.ExprNodeColumnDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeDesc;
import org.apache.hadoop.hive.ql.plan.JoinDesc;

/** Where an operator has a column of its output from. Immutable. */
final class ColumnOrigin {
  private final int input;
  private final ExprNodeDesc expression;

  private ColumnOrigin(int input, ExprNodeDesc expression) {
    this.input = input;
    this.expression = expression;
  }

  /**
   * The origin of a column; null if it is not known to be the same value in a row of one input.
   *
   * @param column of the operator's output
   */
  @Nullable
  static ColumnOrigin of(Operator<?> operator, ExprNodeColumnDesc column) {
    String name = column.getColumn();
    if (operator instanceof FilterOperator
        || operator instanceof LimitOperator
        || operator instanceof UnionOperator
        || isWholeRow(operator)) {
      return new ColumnOrigin(0, column);
    }
    if (operator instanceof GroupByOperator) {
      return ofGroup((GroupByOperator) operator, name);
    }
    if (operator instanceof CommonJoinOperator) {
      Map<String, Byte> inputs = ((JoinDesc) operator.getConf()).getReversedExprs();
      Byte input = inputs == null ? null : inputs.get(name);
      return input == null ? null : mapped(operator, input, name);
    }
    return operator instanceof SelectOperator || operator instanceof ReduceSinkOperator
        ? mapped(operator, 0, name)
        : null;
  }

  private static boolean isWholeRow(Operator<?> operator) {
    return operator instanceof SelectOperator
        && ((SelectOperator) operator).getConf().isSelStarNoCompute();
  }

  /** A key, which all rows of a group share; grouping sets replace keys by NULL. */
  @Nullable
  private static ColumnOrigin ofGroup(GroupByOperator groupBy, String name) {
    int key = groupBy.getConf().getOutputColumnNames().indexOf(name);
    boolean isKey = key >= 0 && key < groupBy.getConf().getKeys().size();
    return isKey && !groupBy.getConf().isGroupingSetsPresent()
        ? new ColumnOrigin(0, groupBy.getConf().getKeys().get(key))
        : null;
  }

  @Nullable
  private static ColumnOrigin mapped(Operator<?> operator, int input, String name) {
    Map<String, ExprNodeDesc> expressions = operator.getColumnExprMap();
    ExprNodeDesc expression = expressions == null ? null : expressions.get(name);
    return expression == null ? null : new ColumnOrigin(input, expression);
  }

  /** Position of the input among the operator's parents; 0 for a union, which has it from each. */
  int input() {
    return input;
  }

  /** The value over the rows of the input. */
  ExprNodeDesc expression() {
    return expression;
  }
}
