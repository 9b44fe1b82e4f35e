// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.savings.topk;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hive.ql.exec.TableScanOperator;
import org.apache.hadoop.hive.ql.plan.ExprNodeDesc;
import org.apache.hadoop.hive.ql.plan.MapWork;

/**
 * The only rows that a statement needs of a scan: of those that a filter leaves, the first ones in
 * one order or several. Immutable.
 */
public final class NeededRows {
  private final List<FirstRows> orders;
  private final Optional<ExprNodeDesc> filter;

  private NeededRows(List<FirstRows> orders, Optional<ExprNodeDesc> filter) {
    this.orders = Collections.unmodifiableList(orders);
    this.filter = filter;
  }

  /**
   * Reads the plan of a scan's vertex, which was made with map-side groups ({@code hive.map.aggr}).
   *
   * @return empty if it does not prove that the other rows are not needed
   */
  public static Optional<NeededRows> of(MapWork work, TableScanOperator scan) {
    Optional<RowPath> path = RowPath.of(work, scan);
    if (!path.isPresent()
        || (scan.getConf().getFilterExpr() != null && !path.get().filter().isPresent())) {
      return Optional.empty();
    }
    List<FirstRows> orders =
        SortedRows.of(path.get())
            .map(Collections::singletonList)
            .orElseGet(() -> ExtremeRows.of(path.get()));
    return orders.isEmpty()
        ? Optional.empty()
        : Optional.of(new NeededRows(orders, path.get().filter()));
  }

  public List<FirstRows> orders() {
    return orders;
  }

  /** Hive's own expression, not to be changed; empty if all rows of the scan are in the orders. */
  public Optional<ExprNodeDesc> filter() {
    return filter;
  }
}
