// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.term;

import io.hudiskip.compile.expression.ReadColumn;
import io.hudiskip.compile.expression.TermEvaluator.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.conf.HiveConf;
import org.apache.hadoop.hive.ql.metadata.HiveException;
import org.apache.hadoop.hive.ql.plan.ExprNodeDesc;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds rows for which all of Hive's evaluators find a filter TRUE, so that tasks do, too: {@link
 * EvaluableFunctions} refuses what depends on where it runs.
 */
public final class RowMatcher {
  private static final Logger LOG = LoggerFactory.getLogger(RowMatcher.class);

  private final List<ReadColumn> columns;

  /** Empty if the filter cannot be evaluated. */
  private final Optional<ConstantTerm> filter;

  private RowMatcher(List<ReadColumn> columns, Optional<ConstantTerm> filter) {
    this.columns = columns;
    this.filter = filter;
  }

  /**
   * Prepares a filter.
   *
   * @param filter the whole one; not changed
   * @param columns all that it reads, and others
   * @param job the configuration of the job that will filter the rows
   */
  public static RowMatcher of(ExprNodeDesc filter, List<ReadColumn> columns, Configuration job) {
    Optional<ConstantTerm> term = Optional.empty();
    try {
      term = ConstantTerm.prepare(filter, columns, new HiveConf(job, RowMatcher.class));
    } catch (Throwable e) { // users' functions may throw anything; the query must go on
      LOG.debug("Cannot evaluate {}", filter, e);
    }
    return new RowMatcher(new ArrayList<>(columns), term);
  }

  /**
   * The row that has some values.
   *
   * @param encoded as for {@link StandInRow#of}
   * @return empty unless the filter is TRUE for it
   */
  public Optional<StandInRow> row(List<byte[]> encoded) {
    try {
      return filter.isPresent()
          ? StandInRow.of(columns, encoded).filter(this::matches)
          : Optional.empty();
    } catch (Throwable e) { // as above
      LOG.debug("Cannot evaluate a filter for a row of {} columns", columns.size(), e);
      return Optional.empty();
    }
  }

  private boolean matches(StandInRow row) {
    try {
      return filter.get().evaluate(row.values()).equals(Optional.of(Outcome.TRUE));
    } catch (HiveException e) {
      throw new IllegalStateException(e);
    }
  }
}
