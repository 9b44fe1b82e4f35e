// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.table.source;

import io.hudiskip.compile.expression.HudiExpression;
import io.hudiskip.compile.expression.TermEvaluator;
import io.hudiskip.table.PartitionValues;
import io.hudiskip.table.listing.ListedPartitions;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Leaves out partitions whose paths prove that no row of theirs matches a filter: the filter's
 * expression is evaluated on {@link PartitionValues}, which readers return, like on the statistics
 * of files.
 */
public final class MatchingPartitions implements ListedPartitions {
  private final PartitionValues values;
  private final HudiExpression expression;
  private final TermEvaluator terms;
  private int leftOut;

  /** {@code terms} evaluates terms of the filter that the expression was compiled from. */
  public MatchingPartitions(
      PartitionValues values, HudiExpression expression, TermEvaluator terms) {
    this.values = values;
    this.expression = expression;
    this.terms = terms;
  }

  @Override
  public synchronized List<String> keeps(Collection<String> paths, boolean arePartitions) {
    List<String> asked = new ArrayList<>(paths);
    BitSet kept = expression.evaluate(values.statistics(asked, arePartitions), terms);
    leftOut += asked.size() - kept.cardinality();
    return kept.stream().mapToObj(asked::get).collect(Collectors.toList());
  }

  /** How many partitions, or directories of partitions, have been left out so far. */
  public synchronized int leftOut() {
    return leftOut;
  }
}
