// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.savings.topk;

import io.hudiskip.compile.encoding.HiveType;
import io.hudiskip.compile.expression.ReadColumn;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;
import javax.annotation.Nullable;
import org.apache.hadoop.hive.ql.exec.FunctionRegistry;
import org.apache.hadoop.hive.ql.exec.Operator;
import org.apache.hadoop.hive.ql.exec.TableScanOperator;
import org.apache.hadoop.hive.ql.plan.ExprNodeColumnDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeConstantDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeFieldDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeGenericFuncDesc;
import org.apache.hadoop.hive.ql.plan.FilterDesc;
import org.apache.hadoop.hive.ql.plan.GroupByDesc;
import org.apache.hadoop.hive.ql.plan.MapWork;
import org.apache.hadoop.hive.ql.plan.OperatorDesc;
import org.apache.hadoop.hive.ql.plan.ReduceSinkDesc;
import org.apache.hadoop.hive.ql.plan.SelectDesc;
import org.apache.hadoop.hive.ql.plan.TopNKeyDesc;
import org.apache.hadoop.hive.ql.plan.UnionDesc;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDF;

/**
 * The operators that the rows of a scan go through up to the first that does more than pass each on
 * by itself: a ReduceSink or a GROUP BY. Nothing else reads the scan. Immutable.
 */
final class RowPath {
  /** Plans are not as deep. */
  private static final int MOST_OPERATORS = 200;

  private final List<OperatorDesc> between;
  private final OperatorDesc end;

  private RowPath(List<OperatorDesc> between, OperatorDesc end) {
    this.between = between;
    this.end = end;
  }

  /** The path of a scan of a job; empty if it has none, or if the scan is a sample. */
  static Optional<RowPath> of(MapWork work, TableScanOperator scan) {
    if (scan.getConf().getRowLimit() >= 0 // TABLESAMPLE (n ROWS) takes the first that are read
        || !work.getNameToSplitSample().isEmpty()) {
      return Optional.empty();
    }
    List<OperatorDesc> between = new ArrayList<>();
    Operator<?> operator = scan;
    while (operator.getChildOperators() != null
        && operator.getChildOperators().size() == 1 // a row may be needed elsewhere
        && between.size() < MOST_OPERATORS) {
      operator = operator.getChildOperators().get(0);
      // Operators that work on batches are of other classes, with the same descriptions.
      OperatorDesc desc = operator.getConf();
      if (desc instanceof ReduceSinkDesc || desc instanceof GroupByDesc) {
        return Optional.of(new RowPath(between, desc));
      }
      between.add(desc);
    }
    return Optional.empty();
  }

  /** The operator at the end, if it is of a kind. */
  <T extends OperatorDesc> Optional<T> end(Class<T> kind) {
    return kind.isInstance(end) ? Optional.of(kind.cast(end)) : Optional.empty();
  }

  /** The filter through which the scan's rows go; empty if they go through none. */
  Optional<ExprNodeDesc> filter() {
    return !between.isEmpty() && between.get(0) instanceof FilterDesc
        ? Optional.of(((FilterDesc) between.get(0)).getPredicate())
        : Optional.empty();
  }

  /** The operators that keep first rows by keys. */
  List<TopNKeyDesc> limits() {
    List<TopNKeyDesc> limits = new ArrayList<>();
    for (OperatorDesc operator : between) {
      if (operator instanceof TopNKeyDesc) {
        limits.add((TopNKeyDesc) operator);
      }
    }
    return limits;
  }

  /**
   * The column of the table whose values an expression at the end has, in the same order.
   *
   * @param isPassed whether the rows that an operator drops do not matter, by the column before it
   * @return empty if there is none, or if an operator other than {@link #filter} may drop rows or
   *     change their number
   */
  Optional<ReadColumn> origin(
      ExprNodeDesc expression, BiPredicate<TopNKeyDesc, ExprNodeColumnDesc> isPassed) {
    ExprNodeColumnDesc column = column(expression);
    int first = between.size() > 0 && isFilter(between.get(0)) ? 1 : 0;
    for (int i = between.size() - 1; i >= first && column != null; i--) {
      column = before(between.get(i), column, isPassed);
    }
    if (column == null
        || column.getIsPartitionColOrVirtualCol()
        || column.getColumn().indexOf('.') >= 0) {
      return Optional.empty();
    }
    String name = column.getColumn();
    return HiveType.parse(column.getTypeString())
        .filter(RowPath::isOrderedAsEncoded)
        .map(type -> new ReadColumn(name, type));
  }

  /** Whether an operator leaves the rows for which its predicate is TRUE, and all of them. */
  private static boolean isFilter(OperatorDesc operator) {
    return operator instanceof FilterDesc
        && !((FilterDesc) operator).getIsSamplingPred()
        && !((FilterDesc) operator)
            .isSortedFilter(); // ends with the first row after those it leaves
  }

  /**
   * Whether Hive orders values of a type as our encoding does. Not a float, of which Hive orders
   * NaN in its own way, and not a char or varchar, whose values Hive cuts and pads.
   */
  private static boolean isOrderedAsEncoded(HiveType type) {
    switch (type.kind()) {
      case INTEGER:
      case DECIMAL:
      case DATE:
      case TIMESTAMP:
        return true;
      case STRING:
        return type.toString().equals("string"); // as bytes, or as FirstRows says
      default:
        return false;
    }
  }

  /** The column before an operator that makes one row of each; null if there is none. */
  @Nullable
  private static ExprNodeColumnDesc before(
      OperatorDesc operator,
      ExprNodeColumnDesc column,
      BiPredicate<TopNKeyDesc, ExprNodeColumnDesc> isPassed) {
    if (operator instanceof UnionDesc) {
      return column; // rows of other inputs can only come before
    }
    if (operator instanceof TopNKeyDesc) {
      return isPassed.test((TopNKeyDesc) operator, column) ? column : null;
    }
    return operator instanceof SelectDesc ? selected((SelectDesc) operator, column) : null;
  }

  @Nullable
  private static ExprNodeColumnDesc selected(SelectDesc select, ExprNodeColumnDesc column) {
    if (select.isSelStarNoCompute()) {
      return column;
    }
    int position = select.getOutputColumnNames().indexOf(column.getColumn());
    if (position < 0 || !select.getColList().stream().allMatch(RowPath::dependsOnRowAlone)) {
      return null;
    }
    ExprNodeColumnDesc input = column(select.getColList().get(position));
    return input != null && input.getTypeString().equals(column.getTypeString()) ? input : null;
  }

  /** Whether other rows do not change the value, as they do for {@code row_sequence()}. */
  private static boolean dependsOnRowAlone(ExprNodeDesc expression) {
    if (expression instanceof ExprNodeFieldDesc) {
      return dependsOnRowAlone(((ExprNodeFieldDesc) expression).getDesc());
    }
    if (!(expression instanceof ExprNodeGenericFuncDesc)) {
      return expression instanceof ExprNodeColumnDesc || expression instanceof ExprNodeConstantDesc;
    }
    GenericUDF function = ((ExprNodeGenericFuncDesc) expression).getGenericUDF();
    return FunctionRegistry.isDeterministic(function)
        && !FunctionRegistry.isStateful(function)
        && expression.getChildren().stream().allMatch(RowPath::dependsOnRowAlone);
  }

  @Nullable
  static ExprNodeColumnDesc column(ExprNodeDesc expression) {
    return expression instanceof ExprNodeColumnDesc ? (ExprNodeColumnDesc) expression : null;
  }
}
