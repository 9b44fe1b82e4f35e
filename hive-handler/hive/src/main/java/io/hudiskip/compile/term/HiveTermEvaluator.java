// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.term;

import io.hudiskip.compile.encoding.HiveType;
import io.hudiskip.compile.expression.ReadColumn;
import io.hudiskip.compile.expression.TermEvaluator;
import io.hudiskip.compile.request.TypedFilter;
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
 * Evaluates the terms of one scan's filter with Hive's evaluators. Not thread-safe, as they are
 * not.
 *
 * <p>Hive filters rows in row mode or vectorised mode, which disagree in corner cases (NaN,
 * overflow of small integers, floats as doubles, char padding). A term is therefore evaluated in
 * both, and a result counts only if they agree. {@link EvaluableFunctions} rejects terms that
 * depend on more than column values.
 */
public final class HiveTermEvaluator implements TermEvaluator {
  private static final Logger LOG = LoggerFactory.getLogger(HiveTermEvaluator.class);

  private final TypedFilter filter;
  private final Configuration configuration;
  private HiveConf conf;
  private final Map<List<Object>, Optional<ConstantTerm>> terms = new HashMap<>();

  /** {@code conf} is the configuration of the job that will filter the rows. */
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
        terms.put(key, Optional.empty()); // kept if preparation fails
        prepared = prepare(term, row);
        terms.put(key, prepared);
      }
      return prepared.isPresent()
          ? prepared.get().evaluate(ConstantValues.writables(row))
          : Optional.empty();
    } catch (Throwable e) { // users' functions may throw anything; the query must go on
      LOG.debug("Cannot evaluate term {} for {} columns", term, row.size(), e);
      return Optional.empty();
    }
  }

  private Optional<ConstantTerm> prepare(int term, List<Value> row) throws Exception {
    List<ReadColumn> columns = new ArrayList<>();
    for (Value value : row) {
      if (value.type().kind() == HiveType.Kind.TIMESTAMP) {
        return Optional.empty(); // the reader's zone shifts the value in the file
      }
      columns.add(new ReadColumn(value.column(), value.type()));
    }
    return filter.source(term).isPresent()
        ? ConstantTerm.prepare(filter.source(term).get(), columns, hiveConf())
        : Optional.empty();
  }

  /** Created on first use: it takes tens of milliseconds. */
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
