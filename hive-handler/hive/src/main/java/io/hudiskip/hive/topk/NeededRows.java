// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.topk;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hive.ql.exec.TableScanOperator;
import org.apache.hadoop.hive.ql.plan.MapWork;

/** Finds out from the plan of a scan's vertex which rows of the scan are needed. */
public final class NeededRows {
  private NeededRows() {}

  /**
   * Reads a plan that was made with map-side groups ({@code hive.map.aggr}).
   *
   * @return the first rows in one order or several; empty if others may be needed
   */
  public static List<FirstRows> of(MapWork work, TableScanOperator scan) {
    Optional<RowPath> path = RowPath.of(work, scan);
    if (!path.isPresent() || scan.getConf().getFilterExpr() != null) {
      return Collections.emptyList();
    }
    return SortedRows.of(path.get())
        .map(Collections::singletonList)
        .orElseGet(() -> ExtremeRows.of(path.get()));
  }
}
