// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.term;

import io.hudiskip.expression.TermEvaluator.Outcome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hive.conf.HiveConf;
import org.apache.hadoop.hive.ql.exec.ExprNodeEvaluator;
import org.apache.hadoop.hive.ql.exec.ExprNodeEvaluatorFactory;
import org.apache.hadoop.hive.ql.metadata.HiveException;
import org.apache.hadoop.hive.ql.plan.ExprNodeDesc;
import org.apache.hadoop.hive.serde2.objectinspector.ObjectInspector;
import org.apache.hadoop.hive.serde2.objectinspector.ObjectInspectorFactory;
import org.apache.hadoop.hive.serde2.objectinspector.PrimitiveObjectInspector;
import org.apache.hadoop.hive.serde2.objectinspector.primitive.PrimitiveObjectInspectorFactory;
import org.apache.hadoop.hive.serde2.typeinfo.PrimitiveTypeInfo;

/** Evaluates a term in row mode: {@code ExprNodeEvaluator} over a row of writables. */
final class RowEvaluation {
  private final ExprNodeEvaluator<?> evaluator;
  private final PrimitiveObjectInspector result;

  private RowEvaluation(ExprNodeEvaluator<?> evaluator, PrimitiveObjectInspector result) {
    this.evaluator = evaluator;
    this.result = result;
  }

  /** {@code term} is a boolean expression over columns of these names; it may be changed. */
  static RowEvaluation of(
      ExprNodeDesc term, List<String> names, List<PrimitiveTypeInfo> types, HiveConf conf)
      throws HiveException {
    List<ObjectInspector> inspectors = new ArrayList<>();
    for (PrimitiveTypeInfo type : types) {
      inspectors.add(PrimitiveObjectInspectorFactory.getPrimitiveWritableObjectInspector(type));
    }
    ExprNodeEvaluator<?> evaluator = ExprNodeEvaluatorFactory.get(term, conf);
    ObjectInspector result =
        evaluator.initialize(
            ObjectInspectorFactory.getStandardStructObjectInspector(names, inspectors));
    return new RowEvaluation(evaluator, (PrimitiveObjectInspector) result);
  }

  Outcome evaluate(Object[] row) throws HiveException {
    Object value = result.getPrimitiveJavaObject(evaluator.evaluate(Arrays.asList(row)));
    if (value == null) {
      return Outcome.NULL;
    }
    return (Boolean) value ? Outcome.TRUE : Outcome.FALSE;
  }
}
