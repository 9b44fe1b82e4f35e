// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.counts;

import java.util.Collections;
import java.util.Optional;
import javax.annotation.Nullable;
import org.apache.hadoop.hive.ql.exec.Operator;
import org.apache.hadoop.hive.ql.exec.TableScanOperator;
import org.apache.hadoop.hive.ql.plan.AggregationDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeGenericFuncDesc;
import org.apache.hadoop.hive.ql.plan.FilterDesc;
import org.apache.hadoop.hive.ql.plan.GroupByDesc;
import org.apache.hadoop.hive.ql.plan.MapWork;
import org.apache.hadoop.hive.ql.plan.OperatorDesc;
import org.apache.hadoop.hive.ql.plan.SelectDesc;
import org.apache.hadoop.hive.ql.plan.TableScanDesc;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPNotTrue;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfoFactory;

/**
 * The filter of a scan whose rows a statement only counts, as {@code SELECT count(*) FROM t WHERE
 * …} does.
 *
 * <p>Proof that any rows for which the filter is TRUE stand for those of a file that has as many
 * rows, for all of which it is TRUE: nothing but the filter reads the scan's rows. Of what the
 * filter leaves, the projection keeps no column, so that only the number of rows reaches the
 * aggregates, and nothing else.
 */
public final class CountedFilter {
  private static final String COUNT = "count";

  private CountedFilter() {}

  /**
   * Reads the plan of a scan's vertex.
   *
   * @return empty if the statement may need more of the rows than their number; not to be changed
   */
  public static Optional<ExprNodeDesc> of(MapWork work, TableScanOperator scan) {
    TableScanDesc table = scan.getConf();
    if (table.getRowLimit() >= 0 // TABLESAMPLE (n ROWS) takes the first that are read
        || !work.getNameToSplitSample().isEmpty()
        || table.isGatherStats()
        || (table.getVirtualCols() != null && !table.getVirtualCols().isEmpty())) {
      return Optional.empty();
    }
    // Operators that work on batches are of other classes, with the same descriptions.
    Operator<?> filter = onlyChild(scan);
    Operator<?> select = onlyChild(filter);
    Operator<?> groupBy = onlyChild(select);
    return isOfRows(filter) && hasNoColumn(select) && counts(groupBy)
        ? Optional.of(((FilterDesc) filter.getConf()).getPredicate())
        : Optional.empty();
  }

  /**
   * {@code filter IS NOT TRUE}. A file that this excludes has no row for which the filter is FALSE
   * or NULL: the compiler's rules hold for every condition, so for this one.
   *
   * @param filter not changed, but shared
   */
  public static ExprNodeGenericFuncDesc complement(ExprNodeDesc filter) {
    return new ExprNodeGenericFuncDesc(
        TypeInfoFactory.booleanTypeInfo,
        new GenericUDFOPNotTrue(),
        Collections.singletonList(filter));
  }

  /** Null if the operator's rows go elsewhere, too. */
  @Nullable
  private static Operator<?> onlyChild(@Nullable Operator<?> operator) {
    return operator == null
            || operator.getChildOperators() == null
            || operator.getChildOperators().size() != 1
        ? null
        : operator.getChildOperators().get(0);
  }

  private static boolean isOfRows(@Nullable Operator<?> operator) {
    OperatorDesc filter = operator == null ? null : operator.getConf();
    return filter instanceof FilterDesc
        && !((FilterDesc) filter).getIsSamplingPred()
        && !((FilterDesc) filter).isSortedFilter(); // ends with the first row after those it leaves
  }

  private static boolean hasNoColumn(@Nullable Operator<?> operator) {
    OperatorDesc select = operator == null ? null : operator.getConf();
    return select instanceof SelectDesc
        && !((SelectDesc) select).isSelStarNoCompute()
        && ((SelectDesc) select).getColList() != null
        && ((SelectDesc) select).getColList().isEmpty();
  }

  private static boolean counts(@Nullable Operator<?> operator) {
    OperatorDesc groupBy = operator == null ? null : operator.getConf();
    return groupBy instanceof GroupByDesc
        && ((GroupByDesc) groupBy).getKeys().isEmpty()
        && !((GroupByDesc) groupBy).getAggregators().isEmpty()
        && ((GroupByDesc) groupBy).getAggregators().stream().allMatch(CountedFilter::countsRows);
  }

  private static boolean countsRows(AggregationDesc aggregate) {
    return aggregate.getGenericUDAFName().equalsIgnoreCase(COUNT)
        && !aggregate.getDistinct()
        && aggregate.getParameters().isEmpty();
  }
}
