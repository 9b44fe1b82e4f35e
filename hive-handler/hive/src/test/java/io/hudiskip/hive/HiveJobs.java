// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive;

import static io.hudiskip.compile.filter.HiveFilters.and;
import static io.hudiskip.compile.filter.HiveFilters.call;
import static io.hudiskip.conformance.Expressions.connective;
import static io.hudiskip.conformance.Expressions.leaf;
import static io.hudiskip.conformance.Expressions.message;

import io.hudiskip.compile.encoding.ValueEncoding;
import io.hudiskip.compile.request.TypedFilter;
import io.hudiskip.scan.PushedExpression;
import io.hudiskip.thrift.ExpressionNode;
import io.hudiskip.thrift.ExpressionOperator;
import io.hudiskip.thrift.HudiExpression;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hive.conf.HiveConf;
import org.apache.hadoop.hive.ql.CompilationOpContext;
import org.apache.hadoop.hive.ql.exec.FetchOperator;
import org.apache.hadoop.hive.ql.exec.Operator;
import org.apache.hadoop.hive.ql.exec.OperatorFactory;
import org.apache.hadoop.hive.ql.exec.SerializationUtilities;
import org.apache.hadoop.hive.ql.exec.Utilities;
import org.apache.hadoop.hive.ql.plan.ExprNodeColumnDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeConstantDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeGenericFuncDesc;
import org.apache.hadoop.hive.ql.plan.MapWork;
import org.apache.hadoop.hive.ql.plan.TableScanDesc;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDF;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFIn;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPEqual;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPEqualOrGreaterThan;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPEqualOrLessThan;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfoFactory;
import org.apache.hadoop.mapred.FileInputFormat;
import org.apache.hadoop.mapred.JobConf;
import org.apache.thrift.TException;
import org.apache.thrift.TSerializer;
import org.apache.thrift.protocol.TCompactProtocol;

/** Job configurations as Hive hands them to an input format. */
public final class HiveJobs {
  private static final ExprNodeColumnDesc ID =
      new ExprNodeColumnDesc(TypeInfoFactory.longTypeInfo, "id", "t", false);

  private HiveJobs() {}

  /** The filter {@code id = value}. */
  public static ExprNodeGenericFuncDesc idEquals(long value) {
    return compared(new GenericUDFOPEqual(), value);
  }

  /** The filter {@code id >= first AND id <= last}. */
  public static ExprNodeGenericFuncDesc idBetween(long first, long last) {
    return and(
        compared(new GenericUDFOPEqualOrGreaterThan(), first),
        compared(new GenericUDFOPEqualOrLessThan(), last));
  }

  /** The filter {@code id IN (values)}. */
  public static ExprNodeGenericFuncDesc idIn(Long... values) {
    List<ExprNodeDesc> operands = new ArrayList<>();
    operands.add(ID);
    for (Long value : values) {
      operands.add(new ExprNodeConstantDesc(TypeInfoFactory.longTypeInfo, value));
    }
    // GenericUDFIn itself refuses a list of none, which Hive's pruner makes.
    return new ExprNodeGenericFuncDesc(
        TypeInfoFactory.booleanTypeInfo, new GenericUDFIn(), operands);
  }

  private static ExprNodeGenericFuncDesc compared(GenericUDF with, long value) {
    return call(with, ID, new ExprNodeConstantDesc(TypeInfoFactory.longTypeInfo, value));
  }

  /** Of a query that HiveServer2 runs itself. */
  public static JobConf fetch(String location, ExprNodeGenericFuncDesc filter) {
    JobConf job = listing(location, filter);
    job.set(FetchOperator.FETCH_OPERATOR_DIRECTORY_LIST, location);
    return job;
  }

  /**
   * A job on an engine.
   *
   * @param pushed the filter in the configuration, or null
   * @param planned the filter of each scan of the location, null for a scan without one
   */
  public static JobConf engine(
      String engine,
      String location,
      ExprNodeGenericFuncDesc pushed,
      ExprNodeGenericFuncDesc... planned) {
    JobConf job = listing(location, pushed);
    HiveConf.setVar(job, HiveConf.ConfVars.HIVE_EXECUTION_ENGINE, engine);
    HiveConf.setVar(job, HiveConf.ConfVars.PLAN, "/plan-" + System.nanoTime());
    MapWork work = new MapWork();
    List<String> aliases = new ArrayList<>();
    for (ExprNodeGenericFuncDesc filter : planned) {
      TableScanDesc scan = new TableScanDesc("t" + aliases.size(), null);
      scan.setFilterExpr(filter);
      Operator<TableScanDesc> operator = OperatorFactory.get(new CompilationOpContext(), scan);
      aliases.add("t" + aliases.size());
      work.getAliasToWork().put(aliases.get(aliases.size() - 1), operator);
    }
    work.addPathToAlias(new Path(location), new ArrayList<>(aliases));
    Utilities.setMapWork(job, work);
    return job;
  }

  /**
   * The job whose files are listed in the application master once a join has sent values, as Hive's
   * {@code DynamicPartitionPruner} leaves it.
   *
   * @param filter the scan's own {@link #idEquals}, or null
   * @param lists what the pruner adds
   */
  public static JobConf joined(
      String location, ExprNodeGenericFuncDesc filter, ExprNodeDesc... lists) throws TException {
    List<ExprNodeDesc> conjuncts = new ArrayList<>(Arrays.asList(lists));
    if (filter != null) {
      conjuncts.add(0, filter);
    }
    ExprNodeGenericFuncDesc all =
        conjuncts.size() == 1
            ? (ExprNodeGenericFuncDesc) conjuncts.get(0)
            : and(conjuncts.toArray(new ExprNodeDesc[0]));
    JobConf job = engine("tez", location, all, all);
    Utilities.getMapWork(job)
        .getEventSourceColumnNameMap()
        .put("Map 2", Collections.singletonList("id"));
    return filter == null ? job : pushing(filter, job);
  }

  /** Adds the expression of an {@link #idEquals}, as it comes from the compiled statement. */
  public static JobConf pushing(ExprNodeGenericFuncDesc filter, JobConf job) throws TException {
    long value =
        ((Number) ((ExprNodeConstantDesc) filter.getChildren().get(1)).getValue()).longValue();
    return pushing(filter, value, job);
  }

  /** Adds an expression for a filter that keeps the files in which {@code id} may be a value. */
  public static JobConf pushing(ExprNodeGenericFuncDesc filter, long id, JobConf job)
      throws TException {
    return pushing(filter, message(idLeaf(ExpressionOperator.EQ, id)), job);
  }

  /** Adds the expression of an {@link #idBetween}. */
  public static JobConf pushingBetween(long first, long last, JobConf job) throws TException {
    List<ExpressionNode> range =
        connective(
            ExpressionOperator.AND,
            Arrays.asList(
                idLeaf(ExpressionOperator.GTEQ, first), idLeaf(ExpressionOperator.LTEQ, last)));
    return pushing(idBetween(first, last), message(range), job);
  }

  /**
   * A query of the partitions from one {@code day} to another, both strings, and its expression.
   */
  public static JobConf ofDays(String location, String first, String last) throws TException {
    ExprNodeColumnDesc day =
        new ExprNodeColumnDesc(TypeInfoFactory.stringTypeInfo, "day", "t", false);
    ExprNodeGenericFuncDesc filter =
        and(
            call(new GenericUDFOPEqualOrGreaterThan(), day, text(first)),
            call(new GenericUDFOPEqualOrLessThan(), day, text(last)));
    List<ExpressionNode> range =
        connective(
            ExpressionOperator.AND,
            Arrays.asList(
                leaf(ExpressionOperator.GTEQ, "day", "string", ValueEncoding.encodeString(first)),
                leaf(ExpressionOperator.LTEQ, "day", "string", ValueEncoding.encodeString(last))));
    return pushing(filter, message(range), fetch(location, filter));
  }

  private static ExprNodeConstantDesc text(String value) {
    return new ExprNodeConstantDesc(TypeInfoFactory.stringTypeInfo, value);
  }

  private static List<ExpressionNode> idLeaf(ExpressionOperator operator, long value) {
    return leaf(operator, "id", "bigint", ValueEncoding.encodeInteger(value));
  }

  /** Adds an expression as what a filter was compiled to. */
  public static JobConf pushing(
      ExprNodeGenericFuncDesc filter, HudiExpression expression, JobConf job) throws TException {
    byte[] fingerprint = TypedFilter.of(filter).fingerprint();
    byte[] bytes =
        new TSerializer(new TCompactProtocol.Factory())
            .serialize(expression.deepCopy().setFingerprint(fingerprint));
    job.set(
        TableScanDesc.FILTER_OBJECT_CONF_STR,
        SerializationUtilities.serializeObject(new PushedExpression(fingerprint, bytes, null)));
    return job;
  }

  private static JobConf listing(String location, ExprNodeGenericFuncDesc filter) {
    JobConf job = new JobConf(false);
    FileInputFormat.setInputPaths(job, new Path(location));
    job.set("columns", "id,city");
    job.set("columns.types", "bigint:string");
    if (filter != null) {
      // Not its text: with assertions on, Hive has none for a list of no values.
      job.set(TableScanDesc.FILTER_TEXT_CONF_STR, filter.toString());
      job.set(
          TableScanDesc.FILTER_EXPR_CONF_STR, SerializationUtilities.serializeExpression(filter));
    }
    return job;
  }
}
