// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.savings.join;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hive.ql.CompilationOpContext;
import org.apache.hadoop.hive.ql.exec.Operator;
import org.apache.hadoop.hive.ql.exec.OperatorFactory;
import org.apache.hadoop.hive.ql.exec.ReduceSinkOperator;
import org.apache.hadoop.hive.ql.exec.RowSchema;
import org.apache.hadoop.hive.ql.exec.TableScanOperator;
import org.apache.hadoop.hive.ql.metadata.Table;
import org.apache.hadoop.hive.ql.plan.DynamicPruningEventDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeColumnDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeConstantDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeDesc;
import org.apache.hadoop.hive.ql.plan.FilterDesc;
import org.apache.hadoop.hive.ql.plan.GroupByDesc;
import org.apache.hadoop.hive.ql.plan.JoinCondDesc;
import org.apache.hadoop.hive.ql.plan.JoinDesc;
import org.apache.hadoop.hive.ql.plan.LimitDesc;
import org.apache.hadoop.hive.ql.plan.OperatorDesc;
import org.apache.hadoop.hive.ql.plan.ReduceSinkDesc;
import org.apache.hadoop.hive.ql.plan.SelectDesc;
import org.apache.hadoop.hive.ql.plan.TableScanDesc;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfoFactory;

/** Operators as Hive's optimizer has them, over one bigint column {@code c}. */
public final class Plans {
  private Plans() {}

  public static ExprNodeColumnDesc column(String name) {
    return new ExprNodeColumnDesc(TypeInfoFactory.longTypeInfo, name, "t", false);
  }

  public static ExprNodeConstantDesc constant(Object value) {
    return new ExprNodeConstantDesc(TypeInfoFactory.longTypeInfo, value);
  }

  public static TableScanOperator scan(Table table) {
    return (TableScanOperator)
        OperatorFactory.get(
            new CompilationOpContext(), new TableScanDesc("t", table), new RowSchema());
  }

  public static Operator<?> filter(Operator<?> parent, ExprNodeDesc predicate) {
    return child(parent, new FilterDesc(predicate, false));
  }

  public static Operator<?> limit(Operator<?> parent) {
    return child(parent, new LimitDesc(10));
  }

  /** A SELECT of {@code input AS output}. */
  public static Operator<?> select(Operator<?> parent, ExprNodeDesc input, String output) {
    SelectDesc select =
        new SelectDesc(Collections.singletonList(input), Collections.singletonList(output));
    return mapped(child(parent, select), output, input);
  }

  /** A GROUP BY with one key, or none if it is null. */
  static Operator<?> groupBy(Operator<?> parent, ExprNodeDesc key, String output) {
    GroupByDesc groupBy = new GroupByDesc();
    groupBy.setKeys(
        key == null ? new ArrayList<>() : new ArrayList<>(Collections.singletonList(key)));
    groupBy.setOutputColumnNames(new ArrayList<>(Collections.singletonList(output)));
    return child(parent, groupBy);
  }

  /** A ReduceSink with one key, which is {@code KEY.k} afterwards. */
  public static ReduceSinkOperator sink(Operator<?> parent, ExprNodeDesc key) {
    ReduceSinkDesc sink = new ReduceSinkDesc();
    sink.setKeyCols(new ArrayList<>(Collections.singletonList(key)));
    return (ReduceSinkOperator) mapped(child(parent, sink), "KEY.k", key);
  }

  /**
   * A join of two sinks whose output column {@code j} is the key of the first.
   *
   * @param type of {@link JoinDesc}
   */
  static Operator<?> join(int type, ReduceSinkOperator left, ReduceSinkOperator right) {
    JoinDesc join = new JoinDesc();
    join.setConds(new JoinCondDesc[] {new JoinCondDesc(0, 1, type)});
    Map<String, Byte> inputs = new HashMap<>();
    inputs.put("j", (byte) 0);
    join.setReversedExprs(inputs);
    Operator<?> operator =
        OperatorFactory.getAndMakeChild(
            left.getCompilationOpContext(), join, new RowSchema(), new Operator<?>[] {left, right});
    return mapped(operator, "j", column("KEY.k"));
  }

  /** The branch that sends an operator's values to a scan. */
  static void event(Operator<?> parent, ExprNodeDesc key) {
    child(
        groupBy(select(parent, key, "_col0"), column("_col0"), "_col0"),
        new DynamicPruningEventDesc());
  }

  private static Operator<?> child(Operator<?> parent, OperatorDesc desc) {
    return OperatorFactory.getAndMakeChild(desc, new RowSchema(), parent);
  }

  private static Operator<?> mapped(Operator<?> operator, String output, ExprNodeDesc input) {
    Map<String, ExprNodeDesc> expressions = new HashMap<>();
    expressions.put(output, input);
    operator.setColumnExprMap(expressions);
    return operator;
  }

  static List<ExprNodeDesc> constants(Object... values) {
    List<ExprNodeDesc> constants = new ArrayList<>();
    for (Object value : values) {
      constants.add(constant(value));
    }
    return constants;
  }
}
