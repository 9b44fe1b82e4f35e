// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.filter;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.hive.common.type.DataTypePhysicalVariation;
import org.apache.hadoop.hive.conf.HiveConf;
import org.apache.hadoop.hive.ql.exec.ExprNodeEvaluator;
import org.apache.hadoop.hive.ql.exec.ExprNodeEvaluatorFactory;
import org.apache.hadoop.hive.ql.exec.vector.VectorAssignRow;
import org.apache.hadoop.hive.ql.exec.vector.VectorExpressionDescriptor;
import org.apache.hadoop.hive.ql.exec.vector.VectorExtractRow;
import org.apache.hadoop.hive.ql.exec.vector.VectorizationContext;
import org.apache.hadoop.hive.ql.exec.vector.VectorizedBatchUtil;
import org.apache.hadoop.hive.ql.exec.vector.VectorizedRowBatch;
import org.apache.hadoop.hive.ql.exec.vector.expressions.VectorExpression;
import org.apache.hadoop.hive.ql.metadata.HiveException;
import org.apache.hadoop.hive.ql.plan.ExprNodeDesc;
import org.apache.hadoop.hive.ql.session.SessionState;
import org.apache.hadoop.hive.serde2.objectinspector.ObjectInspector;
import org.apache.hadoop.hive.serde2.objectinspector.ObjectInspectorFactory;
import org.apache.hadoop.hive.serde2.objectinspector.ObjectInspectorUtils;
import org.apache.hadoop.hive.serde2.objectinspector.ObjectInspectorUtils.ObjectInspectorCopyOption;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfoUtils;

/** Evaluates expressions over one column of {@link HiveFilters} with Hive's own evaluators. */
final class HiveValues {
  private final HiveConf conf;
  private final String column;
  private final TypeInfo type;

  /**
   * Evaluators over one column, in a session with a time zone and {@code hive.datetime.formatter}.
   */
  HiveValues(String column, String zone, String formatter) {
    this.column = column;
    type = HiveFilters.type(column);
    conf = HiveFilters.settings();
    HiveConf.setVar(conf, HiveConf.ConfVars.HIVE_LOCAL_TIME_ZONE, zone);
    HiveConf.setVar(conf, HiveConf.ConfVars.HIVE_DATETIME_FORMATTER, formatter);
  }

  /** The results in row mode, as Hive prints them, but doubles in hexadecimal; NULL is null. */
  List<String> inRows(String expression, List<Object> values) throws HiveException {
    ExprNodeDesc parsed = parsed(expression);
    SessionState.setCurrentSessionState(new SessionState(conf));
    try {
      ExprNodeEvaluator<?> evaluator = ExprNodeEvaluatorFactory.get(parsed, conf);
      ObjectInspector result =
          evaluator.initialize(
              ObjectInspectorFactory.getStandardStructObjectInspector(
                  Collections.singletonList(column), Collections.singletonList(inspector())));
      List<String> results = new ArrayList<>();
      for (Object value : values) {
        results.add(text(evaluator.evaluate(Collections.singletonList(value)), result));
      }
      return results;
    } finally {
      SessionState.detachSession();
    }
  }

  /**
   * The results in vectorized mode, as Hive prints them, but doubles in hexadecimal; NULL is null.
   */
  List<String> inVectors(String expression, List<Object> values) throws HiveException {
    ExprNodeDesc parsed = parsed(expression);
    SessionState.setCurrentSessionState(new SessionState(conf));
    try {
      VectorizationContext context =
          new VectorizationContext(
              "values",
              Collections.singletonList(column),
              Collections.singletonList(type),
              Collections.singletonList(DataTypePhysicalVariation.NONE),
              conf);
      VectorExpression vectorized =
          context.getVectorExpression(parsed, VectorExpressionDescriptor.Mode.PROJECTION);
      VectorExpression.doTransientInit(vectorized, conf);
      VectorizedRowBatch batch = batch(context.getScratchColumnTypeNames());
      List<String> results = new ArrayList<>();
      for (int start = 0; start < values.size(); start += VectorizedRowBatch.DEFAULT_SIZE) {
        int end = Math.min(values.size(), start + VectorizedRowBatch.DEFAULT_SIZE);
        fill(batch, values.subList(start, end));
        vectorized.evaluate(batch);
        results.addAll(extracted(batch, vectorized));
      }
      return results;
    } finally {
      SessionState.detachSession();
    }
  }

  /** Through the serialized form, so that functions forget the settings of the type checker. */
  private static ExprNodeDesc parsed(String expression) {
    return HiveFilters.serialized(HiveFilters.where(expression));
  }

  private VectorizedRowBatch batch(String[] scratch) throws HiveException {
    VectorizedRowBatch batch = new VectorizedRowBatch(1 + scratch.length);
    batch.cols[0] = VectorizedBatchUtil.createColumnVector(type);
    for (int i = 0; i < scratch.length; i++) {
      batch.cols[1 + i] = VectorizedBatchUtil.createColumnVector(scratch[i]);
    }
    return batch;
  }

  private void fill(VectorizedRowBatch batch, List<Object> values) throws HiveException {
    VectorAssignRow assign = new VectorAssignRow();
    assign.init(type, 0);
    batch.reset();
    for (Object value : values) {
      Object writable =
          ObjectInspectorUtils.copyToStandardObject(
              value, inspector(), ObjectInspectorCopyOption.WRITABLE);
      assign.assignRowColumn(batch, batch.size, 0, writable);
      batch.size++;
    }
  }

  private static List<String> extracted(VectorizedRowBatch batch, VectorExpression vectorized)
      throws HiveException {
    TypeInfo result = vectorized.getOutputTypeInfo();
    ObjectInspector inspector =
        TypeInfoUtils.getStandardWritableObjectInspectorFromTypeInfo(result);
    VectorExtractRow extract = new VectorExtractRow();
    extract.init(new TypeInfo[] {result}, new int[] {vectorized.getOutputColumnNum()});
    List<String> results = new ArrayList<>();
    Object[] row = new Object[1];
    for (int i = 0; i < batch.size; i++) {
      extract.extractRow(batch, i, row);
      results.add(text(row[0], inspector));
    }
    return results;
  }

  private ObjectInspector inspector() {
    return TypeInfoUtils.getStandardJavaObjectInspectorFromTypeInfo(type);
  }

  private static String text(Object value, ObjectInspector inspector) {
    Object result = ObjectInspectorUtils.copyToStandardJavaObject(value, inspector);
    // Releases of Java write a decimal fraction of a double in different lengths.
    return result instanceof Float || result instanceof Double
        ? Double.toHexString(((Number) result).doubleValue())
        : Objects.toString(result, null);
  }
}
