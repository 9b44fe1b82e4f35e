// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.topk;

import io.hudiskip.encoding.HiveType;
import io.hudiskip.expression.ReadColumn;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.annotation.Nullable;
import org.apache.hadoop.hive.ql.exec.FunctionRegistry;
import org.apache.hadoop.hive.ql.exec.Operator;
import org.apache.hadoop.hive.ql.exec.TableScanOperator;
import org.apache.hadoop.hive.ql.plan.ExprNodeColumnDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeConstantDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeFieldDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeGenericFuncDesc;
import org.apache.hadoop.hive.ql.plan.MapWork;
import org.apache.hadoop.hive.ql.plan.OperatorDesc;
import org.apache.hadoop.hive.ql.plan.ReduceSinkDesc;
import org.apache.hadoop.hive.ql.plan.SelectDesc;
import org.apache.hadoop.hive.ql.plan.TopNKeyDesc;
import org.apache.hadoop.hive.ql.plan.UnionDesc;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDF;

/**
 * The rows that a statement needs of a scan: the first ones in the order of a column, whatever
 * decides between equal values. Immutable.
 *
 * <p>Proof: {@code LimitPushdownOptimizer} limits the rows of a ReduceSink only if its one reader
 * takes no more of them, in the order of its keys; {@code TopNKeyProcessor} may move that limit to
 * an operator before the sink. Each row of the scan becomes one row of that ReduceSink, and nothing
 * else reads the scan. So a row is not needed if at least as many rows as the limit come before it.
 *
 * <p>The limit of a {@code GROUP BY} counts distinct keys and proves nothing. Hive may put it
 * before a sink that partitions its rows, before one that sorts a subquery without a limit, and, if
 * groups are not made on the map side, into that sink itself. All three are refused.
 */
public final class FirstRows {
  /** Hive's sign of a key in descending order. */
  private static final char DESCENDING = '-';

  /** Hive's sign of a key whose NULLs come last. */
  private static final char NULLS_LAST = 'z';

  /** A sink's number of rows if it keeps all. */
  private static final Integer NO_LIMIT = -1;

  /** Plans are not as deep. */
  private static final int MOST_OPERATORS = 200;

  private final ReadColumn column;
  private final boolean isDescending;
  private final boolean areNullsLast;
  private final long count;

  FirstRows(ReadColumn column, boolean isDescending, boolean areNullsLast, long count) {
    this.column = column;
    this.isDescending = isDescending;
    this.areNullsLast = areNullsLast;
    this.count = count;
  }

  /**
   * Reads the plan of a scan's vertex, which was made with map-side groups ({@code hive.map.aggr}).
   *
   * @return empty if it does not prove that the other rows are not needed
   */
  public static Optional<FirstRows> of(MapWork work, TableScanOperator scan) {
    if (scan.getConf().getFilterExpr() != null
        || scan.getConf().getRowLimit() >= 0 // TABLESAMPLE (n ROWS) takes the first that are read
        || !work.getNameToSplitSample().isEmpty()) {
      return Optional.empty();
    }
    List<OperatorDesc> path = path(scan);
    if (path.isEmpty()) {
      return Optional.empty();
    }
    ReduceSinkDesc sink = (ReduceSinkDesc) path.remove(path.size() - 1);
    Set<Integer> counts = counts(path, sink);
    if (!sortsAllRows(sink)
        || !isLimited(sink)
        || counts.size() != 1
        || Collections.min(counts) < 0) { // LIMIT and OFFSET together are too large for Hive
      return Optional.empty();
    }
    ExprNodeColumnDesc key = column(sink.getKeyCols().get(0));
    for (int i = path.size() - 1; i >= 0 && key != null; i--) {
      key = before(path.get(i), key, sink);
    }
    if (key == null || key.getIsPartitionColOrVirtualCol() || key.getColumn().indexOf('.') >= 0) {
      return Optional.empty();
    }
    String name = key.getColumn();
    return HiveType.parse(key.getTypeString())
        .filter(FirstRows::isOrderedAsEncoded)
        .map(type -> new ReadColumn(name, type))
        .map(
            column ->
                new FirstRows(
                    column,
                    sink.getOrder().charAt(0) == DESCENDING,
                    sink.getNullOrder().charAt(0) == NULLS_LAST,
                    counts.iterator().next()));
  }

  /**
   * Whether Hive sorts values of a type as our encoding does. Not a float, of which Hive sorts NaN
   * in its own way, and not a char or varchar, whose values Hive cuts and pads.
   */
  private static boolean isOrderedAsEncoded(HiveType type) {
    switch (type.kind()) {
      case INTEGER:
      case DECIMAL:
      case DATE:
      case TIMESTAMP:
        return true;
      case STRING:
        return type.toString().equals("string"); // both sort bytes
      default:
        return false;
    }
  }

  /** The operators from a scan to a ReduceSink, its own last; empty if rows go another way. */
  private static List<OperatorDesc> path(TableScanOperator scan) {
    List<OperatorDesc> path = new ArrayList<>();
    Operator<?> operator = scan;
    while (operator.getChildOperators() != null
        && operator.getChildOperators().size() == 1 // a row may be needed elsewhere
        && path.size() < MOST_OPERATORS) {
      operator = operator.getChildOperators().get(0);
      // Operators that work on batches are of other classes, with the same descriptions.
      path.add(operator.getConf());
      if (operator.getConf() instanceof ReduceSinkDesc) {
        return path;
      }
    }
    return new ArrayList<>();
  }

  /** How many rows a ReduceSink and the operators before it keep; it has none if one took over. */
  private static Set<Integer> counts(List<OperatorDesc> path, ReduceSinkDesc sink) {
    Set<Integer> counts = new HashSet<>();
    counts.add(sink.getTopN());
    for (OperatorDesc operator : path) {
      if (operator instanceof TopNKeyDesc) {
        counts.add(((TopNKeyDesc) operator).getTopN());
      }
    }
    counts.remove(NO_LIMIT);
    return counts;
  }

  /**
   * Whether the reader of a ReduceSink itself takes no more rows: Hive leaves this beside the
   * limit, which it may have moved.
   */
  private static boolean isLimited(ReduceSinkDesc sink) {
    return sink.getTopNMemoryUsage() > 0;
  }

  /** Whether a ReduceSink is that of {@code ORDER BY}. */
  private static boolean sortsAllRows(ReduceSinkDesc sink) {
    return sink.getNumReducers() == 1 // SORT BY: each of several would take its first rows
        && sink.getPartitionCols().isEmpty()
        && !sink.isMapGroupBy() // counts groups, not rows
        && !sink.hasADistinctColumnIndex()
        && !sink.isPTFReduceSink() // the first rows of each partition
        && !sink.getKeyCols().isEmpty()
        && sink.getOrder().length() == sink.getKeyCols().size()
        && sink.getNullOrder().length() == sink.getKeyCols().size();
  }

  /** The key before an operator that makes one row of each; null if there is no such column. */
  @Nullable
  private static ExprNodeColumnDesc before(
      OperatorDesc operator, ExprNodeColumnDesc key, ReduceSinkDesc sink) {
    if (operator instanceof UnionDesc) {
      return key; // rows of other inputs can only come before
    }
    if (operator instanceof TopNKeyDesc) {
      return isOf((TopNKeyDesc) operator, key, sink) ? key : null;
    }
    return operator instanceof SelectDesc ? selected((SelectDesc) operator, key) : null;
  }

  /** Whether the operator keeps first rows in the order of the sink. */
  private static boolean isOf(TopNKeyDesc operator, ExprNodeColumnDesc key, ReduceSinkDesc sink) {
    ExprNodeColumnDesc first =
        operator.getKeyColumns().isEmpty() ? null : column(operator.getKeyColumns().get(0));
    return operator.getPartitionKeyColumns().isEmpty()
        && first != null
        && first.getColumn().equals(key.getColumn())
        && operator.getColumnSortOrder().equals(sink.getOrder())
        && operator.getNullOrder().equals(sink.getNullOrder());
  }

  @Nullable
  private static ExprNodeColumnDesc selected(SelectDesc select, ExprNodeColumnDesc key) {
    if (select.isSelStarNoCompute()) {
      return key;
    }
    int position = select.getOutputColumnNames().indexOf(key.getColumn());
    if (position < 0 || !select.getColList().stream().allMatch(FirstRows::dependsOnRowAlone)) {
      return null;
    }
    ExprNodeColumnDesc input = column(select.getColList().get(position));
    return input != null && input.getTypeString().equals(key.getTypeString()) ? input : null;
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
        && expression.getChildren().stream().allMatch(FirstRows::dependsOnRowAlone);
  }

  @Nullable
  private static ExprNodeColumnDesc column(ExprNodeDesc expression) {
    return expression instanceof ExprNodeColumnDesc ? (ExprNodeColumnDesc) expression : null;
  }

  ReadColumn column() {
    return column;
  }

  boolean isDescending() {
    return isDescending;
  }

  boolean areNullsLast() {
    return areNullsLast;
  }

  /** LIMIT and OFFSET together. */
  long count() {
    return count;
  }

  @Override
  public String toString() {
    return String.format(
        "first %d by %s %s nulls %s",
        count, column.name(), isDescending ? "desc" : "asc", areNullsLast ? "last" : "first");
  }
}
