/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.term;

import io.hudiskip.expression.TermEvaluator;
import io.hudiskip.filter.TypedFilter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.conf.HiveConf;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Evaluates terms of one scan's filter with Hive's evaluators.
 *
 * <p>The rows of a file meet the evaluator of row mode or that of vectorised mode, and the two
 * disagree in corners (NaN, overflow of small integers, floats as doubles, char padding). So a term
 * is evaluated by both, and only what both say counts. What depends on more than the values of the
 * columns is not evaluated: see {@link EvaluableFunctions}.
 *
 * <p>Not for several threads at once: Hive's evaluators aren't.
 */
public final class HiveTermEvaluator implements TermEvaluator {
  private static final Logger LOG = LoggerFactory.getLogger(HiveTermEvaluator.class);

  private final TypedFilter filter;
  private final Configuration configuration;
  private HiveConf conf;
  private final Map<List<Object>, Optional<ConstantTerm>> terms = new HashMap<>();

  /**
   * An evaluator of the terms of a filter.
   *
   * @param conf configuration of the job whose rows the filter will meet
   * @param filter the filter that the expression was compiled from
   */
  public HiveTermEvaluator(Configuration conf, TypedFilter filter) {
    this.filter = filter;
    this.configuration = conf;
  }

  @Override
  public Optional<Outcome> evaluate(int term, List<Value> row) {
    try {
      List<Object> key = new ArrayList<>();
      key.add(term);
      row.forEach(
          value -> {
            key.add(value.column());
            key.add(value.type());
          });
      Optional<ConstantTerm> prepared = terms.get(key);
      if (prepared == null) {
        terms.put(key, Optional.empty()); // stays when the preparation fails
        prepared = prepare(term, row);
        terms.put(key, prepared);
      }
      return prepared.isPresent() ? prepared.get().evaluate(row) : Optional.empty();
    } catch (Throwable e) { // functions of users do what they like; the query must go on
      LOG.debug("Term {} cannot be evaluated for {} columns", term, row.size(), e);
      return Optional.empty();
    }
  }

  private Optional<ConstantTerm> prepare(int term, List<Value> row) throws Exception {
    return filter.source(term).isPresent()
        ? ConstantTerm.prepare(filter.source(term).get(), row, hiveConf())
        : Optional.empty();
  }

  /** Not made before it is needed: it takes tens of milliseconds. */
  private HiveConf hiveConf() {
    if (conf == null) {
      conf =
          configuration instanceof HiveConf
              ? (HiveConf) configuration
              : new HiveConf(configuration, HiveTermEvaluator.class);
    }
    return conf;
  }
}
