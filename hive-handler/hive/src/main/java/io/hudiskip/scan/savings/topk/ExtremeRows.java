// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.savings.topk;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hive.ql.plan.AggregationDesc;
import org.apache.hadoop.hive.ql.plan.GroupByDesc;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDAFEvaluator;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDAFMax.GenericUDAFMaxEvaluator;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDAFMin.GenericUDAFMinEvaluator;

/**
 * {@code min} and {@code max} of whole tables in the plan of a scan's vertex.
 *
 * <p>Proof: a GROUP BY without keys makes one row of all that it reads. {@code min} and {@code max}
 * ignore NULLs, and equal values of the types in question are the same value. So its result is the
 * same without rows whose value comes after that of a row that remains.
 */
final class ExtremeRows {
  private ExtremeRows() {}

  /** A row for each aggregate at the end of a path; empty if it may need others. */
  static List<FirstRows> of(RowPath path) {
    GroupByDesc group = path.end(GroupByDesc.class).orElse(null);
    if (group == null
        || group.getMode() != GroupByDesc.Mode.HASH
        || !group.getKeys().isEmpty()
        || group.isGroupingSetsPresent()) {
      return Collections.emptyList();
    }
    List<FirstRows> rows = new ArrayList<>();
    for (AggregationDesc aggregate : group.getAggregators()) {
      Optional<FirstRows> row = row(path, aggregate);
      if (!row.isPresent()) {
        return Collections.emptyList(); // count(*) needs every row
      }
      rows.add(row.get());
    }
    return Collections.unmodifiableList(rows);
  }

  private static Optional<FirstRows> row(RowPath path, AggregationDesc aggregate) {
    // Not by the name, which another function may have.
    Class<? extends GenericUDAFEvaluator> function = aggregate.getGenericUDAFEvaluator().getClass();
    if (aggregate.getParameters().size() != 1
        || (function != GenericUDAFMinEvaluator.class
            && function != GenericUDAFMaxEvaluator.class)) {
      return Optional.empty();
    }
    return path.origin(aggregate.getParameters().get(0), (limit, column) -> false)
        .map(function == GenericUDAFMinEvaluator.class ? FirstRows::least : FirstRows::greatest);
  }
}
