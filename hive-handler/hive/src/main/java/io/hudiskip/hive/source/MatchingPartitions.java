// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.source;

import io.hudiskip.expression.HudiExpression;
import io.hudiskip.expression.TermEvaluator;
import io.hudiskip.hive.listing.PartitionFilter;
import io.hudiskip.hive.table.PartitionStatistics;
import io.hudiskip.statistics.StatisticsTable;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Leaves out partitions whose paths prove that no row of theirs matches a filter: the filter's
 * expression is evaluated on {@link PartitionStatistics} as on those of files.
 */
public final class MatchingPartitions implements PartitionFilter {
  private final PartitionStatistics statistics;
  private final HudiExpression expression;
  private final TermEvaluator terms;
  private int leftOut;

  /** {@code terms} evaluates terms of the filter that the expression was compiled from. */
  public MatchingPartitions(
      PartitionStatistics statistics, HudiExpression expression, TermEvaluator terms) {
    this.statistics = statistics;
    this.expression = expression;
    this.terms = terms;
  }

  @Override
  public synchronized List<String> keeps(Collection<String> paths, boolean arePartitions) {
    List<String> asked = new ArrayList<>(paths);
    BitSet kept = expression.evaluate(statistics.of(asked, arePartitions), terms);
    leftOut += asked.size() - kept.cardinality();
    return kept.stream().mapToObj(asked::get).collect(Collectors.toList());
  }

  /** What paths prove of the rows in some partitions, in order. */
  public StatisticsTable statistics(List<String> partitions) {
    return statistics.of(partitions, true);
  }

  /** How many partitions, or directories of partitions, have been left out so far. */
  public synchronized int leftOut() {
    return leftOut;
  }
}
