// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.scan;

import io.hudiskip.expression.HudiExpression;
import io.hudiskip.expression.TermEvaluator;
import io.hudiskip.hive.counts.CountedFilter;
import io.hudiskip.hive.source.KeepAllFilesException;
import io.hudiskip.hive.term.HiveTermEvaluator;
import io.hudiskip.hive.wire.TypedFilter;
import io.hudiskip.index.BaseFile;
import io.hudiskip.index.IndexUnavailableException;
import io.hudiskip.index.StatisticsIndex;
import io.hudiskip.statistics.StatisticsTable;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hive.ql.plan.ExprNodeDesc;

/** The rows of a scan for which a filter is not TRUE, by the expression pushed for it. Immutable. */
final class Complement {
  private final HudiExpression expression;
  private final TermEvaluator terms;

  private Complement(HudiExpression expression, TermEvaluator terms) {
    this.expression = expression;
    this.terms = terms;
  }

  /**
   * The complement of a filter.
   *
   * @return empty if none was pushed for exactly this filter
   */
  static Optional<Complement> of(TableScan scan, ExprNodeDesc filter) throws KeepAllFilesException {
    TypedFilter complement = TypedFilter.of(CountedFilter.complement(filter));
    Optional<PushedExpression> pushed =
        complement.isEmpty() // as of a filter with values known only at run time
            ? Optional.empty()
            : PushedExpression.of(scan.job()).flatMap(own -> own.complement(complement));
    return pushed.isPresent()
        ? Optional.of(
            new Complement(
                pushed.get().decoded(complement), new HiveTermEvaluator(scan.job(), complement)))
        : Optional.empty();
  }

  /** Positions of the files of which every row matches the filter. */
  BitSet coveredFiles(StatisticsIndex index, List<BaseFile> files)
      throws IndexUnavailableException {
    BitSet covered = new BitSet();
    covered.set(0, files.size());
    // A file that has no row of the complement has only rows for which the filter is TRUE.
    covered.andNot(
        index.keeps(expression, files, StatisticsTable.ofNothing(files.size()), terms));
    return covered;
  }
}
