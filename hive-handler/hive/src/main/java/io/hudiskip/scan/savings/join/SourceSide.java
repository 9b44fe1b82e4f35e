// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.savings.join;

import io.hudiskip.compile.filter.FilterLimitException;
import io.hudiskip.compile.filter.FilterTermBuilder;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.ql.exec.CommonJoinOperator;
import org.apache.hadoop.hive.ql.exec.FilterOperator;
import org.apache.hadoop.hive.ql.exec.GroupByOperator;
import org.apache.hadoop.hive.ql.exec.Operator;
import org.apache.hadoop.hive.ql.exec.ReduceSinkOperator;
import org.apache.hadoop.hive.ql.exec.TableScanOperator;
import org.apache.hadoop.hive.ql.exec.UnionOperator;
import org.apache.hadoop.hive.ql.plan.ExprNodeColumnDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeConstantDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeDynamicListDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeDynamicValueDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeGenericFuncDesc;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDF;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFBetween;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFIn;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPEqual;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPEqualOrGreaterThan;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPEqualOrLessThan;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPGreaterThan;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPLessThan;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPNotNull;

/**
 * The input of a join whose values go to a scan, followed from the join upwards.
 *
 * <p>Its values must have no NULL, on which Hive's {@code DynamicPartitionPruner} fails the query,
 * and be few: they come from filtered rows or from a small table, and from fewer rows than the scan
 * has. If both inputs of a join could send values to the other, Hive would keep the direction with
 * more of them ({@code TezCompiler.removeCycleOperator}).
 */
final class SourceSide {
  /** The most rows, after filters, whose values are wanted. */
  private static final long MOST_ROWS = 100_000;

  /** Rows of a table for one that passes a filter: what Hive itself does not know better. */
  private static final int ROWS_PER_FILTERED = 100;

  private boolean isNeverNull;
  private boolean isSelective;

  /** Of the table that the key comes from. */
  private TableSize size = TableSize.UNKNOWN;

  private SourceSide() {}

  /**
   * Follows a key upwards.
   *
   * @param target the scan that would get the values
   * @param session has the settings of the file systems
   * @return why its values are not wanted; empty if they are
   */
  static Optional<Objection> objection(
      ReduceSinkOperator input, ExprNodeDesc key, TableScanOperator target, Configuration session) {
    SourceSide side = new SourceSide();
    side.follow(input, key);
    if (!side.isNeverNull) {
      return Objection.of("the values may have NULL among them");
    }
    long from = side.filteredRows();
    if (from > 0 && from >= filteredRows(target)) {
      return Objection.ofDirection("the values come from a table that is not smaller");
    }
    // The application master holds all values.
    if (from > MOST_ROWS) {
      return Objection.of("the values come from some " + from + " rows, after filters");
    }
    return side.isSelective || from > 0 || side.size.isOfFewSmallFiles(session)
        ? Optional.empty()
        : Objection.of(
            "the values come from a table that is not filtered, and has neither statistics nor few"
                + " small files");
  }

  private static long filteredRows(TableScanOperator scan) {
    SourceSide side = new SourceSide();
    scan.getChildOperators().forEach(child -> side.see(child, ""));
    side.see(scan, "");
    return side.filteredRows();
  }

  /** 0 if unknown. */
  private long filteredRows() {
    return isSelective ? size.rows() / ROWS_PER_FILTERED : size.rows();
  }

  private void follow(ReduceSinkOperator input, ExprNodeDesc key) {
    Operator<?> operator = input.getParentOperators().get(0);
    ExprNodeDesc expression = key;
    for (int passed = 0; passed < ScanPath.MOST_OPERATORS; passed++) {
      if (expression instanceof ExprNodeConstantDesc) {
        isNeverNull |= ((ExprNodeConstantDesc) expression).getValue() != null;
        isSelective = true; // one value
        return;
      }
      if (!(expression instanceof ExprNodeColumnDesc)) {
        return; // an expression of a value that is not NULL may be NULL
      }
      ExprNodeColumnDesc column = (ExprNodeColumnDesc) expression;
      see(operator, column.getColumn());
      // An outer join adds NULLs, and the inputs of a union would each have to be followed.
      boolean isEnd =
          operator instanceof UnionOperator
              || (operator instanceof CommonJoinOperator && !ScanPath.needsPartners(operator));
      ColumnOrigin origin = isEnd ? null : ColumnOrigin.of(operator, column);
      if (origin == null || origin.input() >= operator.getParentOperators().size()) {
        return;
      }
      expression = origin.expression();
      operator = operator.getParentOperators().get(origin.input());
    }
  }

  private void see(Operator<?> operator, String name) {
    if (operator instanceof FilterOperator) {
      see(((FilterOperator) operator).getConf().getPredicate(), name);
    } else if (operator instanceof GroupByOperator) {
      isSelective |= ((GroupByOperator) operator).getConf().getKeys().isEmpty(); // one row
    } else if (operator instanceof TableScanOperator) {
      size = TableSize.of(((TableScanOperator) operator).getConf().getTableMetadata());
    }
  }

  private void see(ExprNodeDesc filter, String name) {
    try {
      for (ExprNodeDesc conjunct : FilterTermBuilder.conjunctsOf(filter)) {
        if (conjunct instanceof ExprNodeGenericFuncDesc && !isDynamic(conjunct)) {
          ExprNodeGenericFuncDesc test = (ExprNodeGenericFuncDesc) conjunct;
          isNeverNull |= rejectsNull(test, name);
          isSelective |= !(test.getGenericUDF() instanceof GenericUDFOPNotNull);
        }
      }
    } catch (FilterLimitException e) {
      isSelective = true; // so many conditions are a filter; whether of NULL is not known
    }
  }

  /** Whether a condition stands for values found at run time: Hive may later replace it by TRUE. */
  private static boolean isDynamic(ExprNodeDesc condition) {
    return condition instanceof ExprNodeDynamicListDesc
        || condition instanceof ExprNodeDynamicValueDesc
        || (condition.getChildren() != null
            && condition.getChildren().stream().anyMatch(SourceSide::isDynamic));
  }

  /** Whether a condition is TRUE for no row in which the column is NULL. */
  private static boolean rejectsNull(ExprNodeGenericFuncDesc test, String name) {
    GenericUDF udf = test.getGenericUDF();
    if (udf instanceof GenericUDFOPNotNull || udf instanceof GenericUDFIn) {
      // NULL IN (…) is NULL.
      return ScanPath.isColumn(test.getChildren().get(0), name);
    }
    if (udf instanceof GenericUDFBetween) {
      // The first operand is the NOT flag; NULL [NOT] BETWEEN … is NULL.
      return ScanPath.isColumn(test.getChildren().get(1), name);
    }
    // A comparison with NULL is NULL; <=> is of another class.
    return isComparison(udf)
        && test.getChildren().stream().anyMatch(operand -> ScanPath.isColumn(operand, name));
  }

  private static boolean isComparison(GenericUDF udf) {
    return udf.getClass() == GenericUDFOPEqual.class
        || udf instanceof GenericUDFOPLessThan
        || udf instanceof GenericUDFOPEqualOrLessThan
        || udf instanceof GenericUDFOPGreaterThan
        || udf instanceof GenericUDFOPEqualOrGreaterThan;
  }
}
