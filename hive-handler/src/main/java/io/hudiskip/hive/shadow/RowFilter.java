/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.shadow;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.ql.exec.ExprNodeEvaluator;
import org.apache.hadoop.hive.ql.exec.ExprNodeEvaluatorFactory;
import org.apache.hadoop.hive.ql.metadata.HiveException;
import org.apache.hadoop.hive.ql.plan.ExprNodeDesc;
import org.apache.hadoop.hive.serde2.objectinspector.ObjectInspector;
import org.apache.hadoop.hive.serde2.objectinspector.PrimitiveObjectInspector;

/** A filter evaluated by Hive, row by row, as {@code FilterOperator} does. Not thread-safe. */
final class RowFilter {
  private final List<ExprNodeEvaluator<?>> conjuncts = new ArrayList<>();
  private final List<PrimitiveObjectInspector> results = new ArrayList<>();

  /**
   * Prepares the evaluation of a conjunction.
   *
   * @param nodes the conjuncts, for this object alone: Hive's functions have state
   * @param rows how the rows are to be read
   * @throws HiveException when one of them cannot be evaluated on such rows
   */
  RowFilter(List<ExprNodeDesc> nodes, ObjectInspector rows, Configuration conf)
      throws HiveException {
    for (ExprNodeDesc node : nodes) {
      ExprNodeEvaluator<?> evaluator = ExprNodeEvaluatorFactory.get(node, conf);
      results.add((PrimitiveObjectInspector) evaluator.initialize(rows));
      conjuncts.add(evaluator);
    }
  }

  /** Whether every conjunct is TRUE for a row. */
  boolean accepts(Object row) throws HiveException {
    for (int i = 0; i < conjuncts.size(); i++) {
      Object result = conjuncts.get(i).evaluate(row);
      if (!Boolean.TRUE.equals(results.get(i).getPrimitiveJavaObject(result))) {
        return false;
      }
    }
    return true;
  }
}
