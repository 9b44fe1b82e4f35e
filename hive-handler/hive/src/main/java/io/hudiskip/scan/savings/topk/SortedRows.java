// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.savings.topk;

import java.util.Collections;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hive.ql.plan.ExprNodeColumnDesc;
import org.apache.hadoop.hive.ql.plan.ReduceSinkDesc;
import org.apache.hadoop.hive.ql.plan.TopNKeyDesc;

/**
 * {@code ORDER BY … LIMIT} in the plan of a scan's vertex.
 *
 * <p>Proof: {@code LimitPushdownOptimizer} limits the rows of a ReduceSink only if its one reader
 * takes no more of them, in the order of its keys; {@code TopNKeyProcessor} may move that limit to
 * an operator before the sink. Each row of the scan becomes one row of that ReduceSink, and nothing
 * else reads the scan. So a row is not needed if at least as many rows as the limit come before it.
 *
 * <p>The limit of a {@code GROUP BY} counts distinct keys and proves nothing. Hive may put it
 * before a sink that partitions its rows, before one that sorts a subquery without a limit, and, if
 * groups are not made on the map side ({@code hive.map.aggr}), into that sink itself. The first two
 * are refused here, and for the third no plan is read that was made so.
 */
final class SortedRows {
  /** Hive's sign of a key in descending order. */
  private static final char DESCENDING = '-';

  /** Hive's sign of a key whose NULLs come last. */
  private static final char NULLS_LAST = 'z';

  /** A sink's number of rows if it keeps all. */
  private static final Integer NO_LIMIT = -1;

  private SortedRows() {}

  /** The rows that the end of a path takes; empty if it is not known to leave any. */
  static Optional<FirstRows> of(RowPath path) {
    ReduceSinkDesc sink = path.end(ReduceSinkDesc.class).orElse(null);
    if (sink == null || !sortsAllRows(sink) || !isLimited(sink)) {
      return Optional.empty();
    }
    Set<Integer> counts = counts(path, sink);
    if (counts.size() != 1
        || Collections.min(counts) < 0) { // LIMIT and OFFSET together are too large for Hive
      return Optional.empty();
    }
    return path.origin(
            sink.getKeyCols().get(0), (limit, column) -> isOf(limit, column.getColumn(), sink))
        .map(
            column ->
                FirstRows.sorted(
                    column,
                    sink.getOrder().charAt(0) == DESCENDING,
                    sink.getNullOrder().charAt(0) == NULLS_LAST,
                    counts.iterator().next()));
  }

  /** How many rows a ReduceSink and the operators before it keep; it has none if one took over. */
  private static Set<Integer> counts(RowPath path, ReduceSinkDesc sink) {
    Set<Integer> counts = new HashSet<>();
    counts.add(sink.getTopN());
    path.limits().forEach(limit -> counts.add(limit.getTopN()));
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

  /** Whether an operator keeps first rows in the order of the sink, whose first key is given. */
  private static boolean isOf(TopNKeyDesc limit, String key, ReduceSinkDesc sink) {
    ExprNodeColumnDesc first =
        limit.getKeyColumns().isEmpty() ? null : RowPath.column(limit.getKeyColumns().get(0));
    return limit.getPartitionKeyColumns().isEmpty()
        && first != null
        && first.getColumn().equals(key)
        && limit.getColumnSortOrder().equals(sink.getOrder())
        && limit.getNullOrder().equals(sink.getNullOrder());
  }
}
