// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.savings.join;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Optional;
import org.apache.hadoop.hive.ql.exec.CommonJoinOperator;
import org.apache.hadoop.hive.ql.exec.FilterOperator;
import org.apache.hadoop.hive.ql.exec.GroupByOperator;
import org.apache.hadoop.hive.ql.exec.Operator;
import org.apache.hadoop.hive.ql.exec.ReduceSinkOperator;
import org.apache.hadoop.hive.ql.exec.SelectOperator;
import org.apache.hadoop.hive.ql.exec.TableScanOperator;
import org.apache.hadoop.hive.ql.exec.UnionOperator;
import org.apache.hadoop.hive.ql.plan.ExprNodeColumnDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeDesc;
import org.apache.hadoop.hive.ql.plan.JoinCondDesc;
import org.apache.hadoop.hive.ql.plan.JoinDesc;

/**
 * The operators between a scan and a join. The rows go nowhere else, and an operator gives the same
 * rows with a value of the join's column whether or not it is given rows with other values.
 *
 * <p>So leaving out rows of the scan that have no partner in the join leaves out rows that the join
 * drops, and nothing else.
 */
public final class ScanPath {
  /** Plans are not as deep. */
  static final int MOST_OPERATORS = 200;

  private ScanPath() {}

  /** Whether a scan takes the first rows that are read: TABLESAMPLE (n ROWS). */
  public static boolean isSampled(TableScanOperator scan) {
    return scan.getConf().getRowLimit() >= 0;
  }

  /** Whether a column is one of the table itself, and neither a field nor in the files' paths. */
  public static boolean isPlain(ExprNodeColumnDesc column) {
    return !column.getIsPartitionColOrVirtualCol() && column.getColumn().indexOf('.') < 0;
  }

  /**
   * Checks the path of a column from a scan to an input of a join.
   *
   * @param column name in the scan
   * @param key what the join compares, over the rows that the input reads
   * @return why this is no such path; empty if it is
   */
  static Optional<Objection> objection(
      TableScanOperator scan, String column, ReduceSinkOperator input, ExprNodeDesc key) {
    if (isSampled(scan)) {
      return Objection.of("the scan is a sample");
    }
    Deque<Operator<?>> path = new ArrayDeque<>();
    Operator<?> operator = scan;
    while (operator != input) {
      path.push(operator);
      Optional<Operator<?>> next = SideBranches.onlyReader(operator);
      if (!next.isPresent() || path.size() > MOST_OPERATORS) {
        // A row without a partner in this join may be needed elsewhere.
        return Objection.of("rows of the scan do not go to the join alone");
      }
      operator = next.get();
    }
    ExprNodeDesc expression = key;
    while (path.size() > 1) {
      Operator<?> passed = path.pop();
      if (!passesEachValueAlone(passed)) {
        return Objection.of(passed.getName() + " is between the scan and the join");
      }
      ColumnOrigin origin =
          expression instanceof ExprNodeColumnDesc
              ? ColumnOrigin.of(passed, (ExprNodeColumnDesc) expression)
              : null;
      boolean isOnPath =
          origin != null
              && (passed instanceof UnionOperator
                  || passed.getParentOperators().get(origin.input()) == path.peek());
      if (!isOnPath) {
        return Objection.of("the join does not compare the column itself");
      }
      expression = origin.expression();
    }
    return isColumn(expression, column)
        ? Optional.empty()
        : Objection.of("the join does not compare the column itself");
  }

  private static boolean passesEachValueAlone(Operator<?> operator) {
    if (operator instanceof ReduceSinkOperator) {
      // Rows are distributed and sorted, unless only the first ones are kept.
      return ((ReduceSinkOperator) operator).getConf().getTopN() < 0;
    }
    return operator instanceof FilterOperator // each row alone decides whether it passes
        || operator instanceof SelectOperator // each row becomes one row
        || operator instanceof UnionOperator // the rows of each input
        || operator
            instanceof GroupByOperator // the column is a key: rows of a group have one value
        || needsPartners(operator); // a row meets the same rows, whichever others are beside it
  }

  /** Whether an operator is an inner join or a left semijoin of all its inputs. */
  static boolean needsPartners(Operator<?> operator) {
    // Every other join also returns rows that have no partner.
    return operator instanceof CommonJoinOperator
        && operator.getConf() instanceof JoinDesc
        && Arrays.stream(((JoinDesc) operator.getConf()).getConds()).allMatch(ScanPath::isInner);
  }

  private static boolean isInner(JoinCondDesc condition) {
    return condition.getType() == JoinDesc.INNER_JOIN
        || condition.getType() == JoinDesc.LEFT_SEMI_JOIN;
  }

  static boolean isColumn(ExprNodeDesc expression, String name) {
    return expression instanceof ExprNodeColumnDesc
        && ((ExprNodeColumnDesc) expression).getColumn().equals(name);
  }
}
