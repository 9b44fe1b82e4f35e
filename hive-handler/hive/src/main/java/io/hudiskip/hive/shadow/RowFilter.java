// SPDX-License-Identifier: Apache-2.0
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

/** Evaluates a filter row by row with Hive, like {@code FilterOperator}. Not thread-safe. */
final class RowFilter {
  private final List<ExprNodeEvaluator<?>> conjuncts = new ArrayList<>();
  private final List<PrimitiveObjectInspector> results = new ArrayList<>();

  /**
   * Prepares a conjunction.
   *
   * @param nodes the conjuncts, exclusively for this object: Hive's functions have state
   */
  RowFilter(List<ExprNodeDesc> nodes, ObjectInspector rows, Configuration conf)
      throws HiveException {
    for (ExprNodeDesc node : nodes) {
      ExprNodeEvaluator<?> evaluator = ExprNodeEvaluatorFactory.get(node, conf);
      results.add((PrimitiveObjectInspector) evaluator.initialize(rows));
      conjuncts.add(evaluator);
    }
  }

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
