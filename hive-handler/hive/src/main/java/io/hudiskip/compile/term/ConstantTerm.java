// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.term;

import io.hudiskip.compile.expression.ReadColumn;
import io.hudiskip.compile.expression.TermEvaluator.Outcome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
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
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfoFactory;

/** A term that is ready to be evaluated for any values of its columns. */
final class ConstantTerm {
  private final ExprNodeEvaluator<?> rowMode;
  private final PrimitiveObjectInspector result;
  private final List<VectorizedEvaluation> vectorized;

  private ConstantTerm(ExprNodeDesc bound, List<PrimitiveTypeInfo> types, HiveConf conf)
      throws HiveException {
    List<String> names = TermBinder.columnNames(types.size());
    List<ObjectInspector> inspectors = new ArrayList<>();
    for (PrimitiveTypeInfo type : types) {
      inspectors.add(PrimitiveObjectInspectorFactory.getPrimitiveWritableObjectInspector(type));
    }
    vectorized = VectorizedEvaluation.of(bound, names, types, conf);
    rowMode = ExprNodeEvaluatorFactory.get(bound, conf);
    result =
        (PrimitiveObjectInspector)
            rowMode.initialize(
                ObjectInspectorFactory.getStandardStructObjectInspector(names, inspectors));
  }

  /**
   * Prepares a term, which is not changed.
   *
   * @param columns all that it may read
   * @return empty if the term reads anything but these columns, or must not be evaluated here
   */
  static Optional<ConstantTerm> prepare(ExprNodeDesc term, List<ReadColumn> columns, HiveConf conf)
      throws HiveException {
    if (!TypeInfoFactory.booleanTypeInfo.equals(term.getTypeInfo())) {
      return Optional.empty();
    }
    Optional<ExprNodeDesc> bound = TermBinder.bind(term, columns, conf);
    if (!bound.isPresent()) {
      return Optional.empty();
    }
    List<PrimitiveTypeInfo> types = new ArrayList<>();
    for (ReadColumn column : columns) {
      types.add(TypeInfoFactory.getPrimitiveTypeInfo(column.type().toString()));
    }
    return Optional.of(new ConstantTerm(bound.get(), types, conf));
  }

  /**
   * The outcome; empty if Hive's modes disagree.
   *
   * @param values the {@link ConstantValues} of the columns; null for NULL
   */
  Optional<Outcome> evaluate(Object[] values) throws HiveException {
    Outcome outcome = inRowMode(values);
    for (VectorizedEvaluation mode : vectorized) {
      if (!mode.agrees(values, outcome)) {
        return Optional.empty();
      }
    }
    return Optional.of(outcome);
  }

  private Outcome inRowMode(Object[] row) throws HiveException {
    Object value = result.getPrimitiveJavaObject(rowMode.evaluate(Arrays.asList(row)));
    if (value == null) {
      return Outcome.NULL;
    }
    return (Boolean) value ? Outcome.TRUE : Outcome.FALSE;
  }
}
