// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan;

import io.hudiskip.compile.filter.FilterLimitException;
import io.hudiskip.compile.filter.FilterTermBuilder;
import io.hudiskip.compile.request.TypedFilter;
import io.hudiskip.scan.savings.join.JoinValues;
import io.hudiskip.table.source.KeepAllFilesException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import javax.annotation.Nullable;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hive.ql.exec.FilterOperator;
import org.apache.hadoop.hive.ql.exec.Operator;
import org.apache.hadoop.hive.ql.exec.SerializationUtilities;
import org.apache.hadoop.hive.ql.exec.TableScanOperator;
import org.apache.hadoop.hive.ql.plan.ExprNodeConstantDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeGenericFuncDesc;
import org.apache.hadoop.hive.ql.plan.MapWork;
import org.apache.hadoop.hive.ql.plan.TableScanDesc;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPAnd;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfoFactory;
import org.apache.hadoop.mapred.JobConf;

/**
 * The filter that every reader of a path applies, read once. The filter in the job configuration
 * cannot be trusted alone: on MapReduce, one configuration serves all tables of a job, and for a
 * path that two scans read, an earlier table's filter remains ({@code
 * HiveInputFormat.pushFiltersAndAsOf}). So it must be the filter of the plan's only scan of the
 * path.
 */
public final class ScanFilter {
  private static final String DIFFERS =
      "the filter in the job configuration differs from the filter of the scan";

  /** Characters that a split may carry: some thousand values. A large scan has as many splits. */
  private static final int MAX_IN_SPLIT = 64 * 1024;

  private final ExprNodeGenericFuncDesc expression;
  private final TypedFilter typed;
  private final int dynamicTerms;
  private final JoinValues joins;

  private ScanFilter(
      @Nullable ExprNodeGenericFuncDesc expression,
      TypedFilter typed,
      int rowFilterTerms,
      JoinValues joins) {
    this.expression = expression;
    this.typed = typed;
    this.joins = joins;
    this.dynamicTerms = Math.max(typed.dynamicTerms(), rowFilterTerms);
  }

  /** The filter of the only scan of a table. */
  static ScanFilter of(JobConf job, Path path) throws KeepAllFilesException {
    String serialized = job.get(TableScanDesc.FILTER_EXPR_CONF_STR);
    if (ScanOperators.isFetch(job, path)) {
      // FetchOperator has its own configuration with the filter of its only scan, and no joins.
      ExprNodeGenericFuncDesc pushed = deserialized(serialized);
      return new ScanFilter(pushed, TypedFilter.of(pushed), 0, JoinValues.NONE);
    }
    TableScanOperator scan = ScanOperators.only(job, path);
    MapWork work = ScanOperators.mapWork(job);
    if (work != null && !JoinValues.columns(work).isEmpty()) {
      return withJoins(job, work, scan, serialized);
    }
    ExprNodeGenericFuncDesc pushed = deserialized(serialized);
    ExprNodeGenericFuncDesc planned = scan.getConf().getFilterExpr();
    TypedFilter typed = TypedFilter.of(pushed);
    if ((planned == null) != (pushed == null)
        || (planned != null && !isSame(planned, serialized, typed))) {
      throw new KeepAllFilesException(DIFFERS);
    }
    return new ScanFilter(pushed, typed, dynamicTerms(scan), JoinValues.NONE);
  }

  @Nullable
  private static ExprNodeGenericFuncDesc deserialized(@Nullable String serialized) {
    return serialized == null ? null : SerializationUtilities.deserializeExpression(serialized);
  }

  /**
   * Splits the filter of a scan to which joins send values. Hive adds those at the end, where the
   * scan's own filter may have a list of constants too: the pushed expression tells them apart. If
   * it does not, a list of the filter counts as values of a join, which is just as true of the rows
   * that are needed.
   */
  private static ScanFilter withJoins(
      JobConf job, MapWork work, TableScanOperator scan, @Nullable String serialized)
      throws KeepAllFilesException {
    ExprNodeGenericFuncDesc planned = scan.getConf().getFilterExpr();
    if ((planned == null) != (serialized == null)
        || (planned != null && !serialized(scan, planned).equals(serialized))) {
      throw new KeepAllFilesException(DIFFERS);
    }
    List<ExprNodeDesc> conjuncts = conjuncts(planned);
    int most = JoinValues.mostAtEnd(conjuncts, JoinValues.columns(work));
    int end = conjuncts.size() - most;
    TypedFilter typed = typed(conjuncts.subList(0, end));
    Optional<PushedExpression> pushed = PushedExpression.of(job);
    for (int later = end; pushed.isPresent() && later <= conjuncts.size(); later++) {
      TypedFilter own = typed(conjuncts.subList(0, later));
      if (pushed.get().isOf(own)) {
        end = later;
        typed = own;
        break;
      }
    }
    return new ScanFilter(
        planned,
        typed,
        dynamicTerms(scan),
        JoinValues.of(work, scan, conjuncts.subList(end, conjuncts.size())));
  }

  private static List<ExprNodeDesc> conjuncts(@Nullable ExprNodeGenericFuncDesc planned)
      throws KeepAllFilesException {
    try {
      return planned == null ? new ArrayList<>() : FilterTermBuilder.conjunctsOf(planned);
    } catch (FilterLimitException e) {
      throw new KeepAllFilesException(e.getMessage(), e);
    }
  }

  /** Without the TRUE that Hive leaves where a condition with the values of a join was. */
  private static TypedFilter typed(List<ExprNodeDesc> conjuncts) {
    List<ExprNodeDesc> own =
        conjuncts.stream().filter(conjunct -> !isTrue(conjunct)).collect(Collectors.toList());
    return TypedFilter.of(own.isEmpty() ? null : own.size() == 1 ? own.get(0) : and(own));
  }

  /** Hive's own {@code ExprNodeDescUtils.and} compares all operands with each other. */
  private static ExprNodeGenericFuncDesc and(List<ExprNodeDesc> conjuncts) {
    return new ExprNodeGenericFuncDesc(
        TypeInfoFactory.booleanTypeInfo, new GenericUDFOPAnd(), conjuncts);
  }

  private static boolean isTrue(ExprNodeDesc conjunct) {
    return conjunct instanceof ExprNodeConstantDesc
        && Boolean.TRUE.equals(((ExprNodeConstantDesc) conjunct).getValue());
  }

  /** Hive keeps the text of a filter that it has extended, which may have 100,000 values. */
  private static String serialized(TableScanOperator scan, ExprNodeGenericFuncDesc planned) {
    String known = scan.getConf().getSerializedFilterExpr();
    return known == null ? SerializationUtilities.serializeExpression(planned) : known;
  }

  /** Hive's own expression; empty when the scan has no filter; not to be changed or evaluated. */
  public Optional<ExprNodeGenericFuncDesc> expression() {
    return Optional.ofNullable(expression);
  }

  /** Whether neither the scan's own filter nor a join can skip a file. */
  boolean isEmpty() {
    return typed.isEmpty() && joins.isEmpty();
  }

  /** The values that joins have found for the scan. */
  JoinValues joins() {
    return joins;
  }

  /**
   * The filter of the rows that joins need, as Hive can evaluate it: with their values, where Hive
   * itself may leave an {@code IN} of none.
   *
   * @return empty if no values have arrived
   */
  Optional<ExprNodeGenericFuncDesc> withValues() throws KeepAllFilesException {
    if (joins.isEmpty()) {
      return Optional.empty();
    }
    List<ExprNodeDesc> operands = new ArrayList<>();
    operands.add(constant(true)); // AND takes two or more
    for (ExprNodeDesc conjunct : conjuncts(expression)) {
      operands.add(JoinValues.isOfNone(conjunct) ? constant(false) : conjunct);
    }
    return Optional.of(and(operands));
  }

  /** The same as text; empty also if that is too long for a split. */
  Optional<String> serializedWithValues() throws KeepAllFilesException {
    return withValues()
        .map(SerializationUtilities::serializeExpression)
        .filter(serialized -> serialized.length() <= MAX_IN_SPLIT);
  }

  private static ExprNodeDesc constant(boolean value) {
    return new ExprNodeConstantDesc(TypeInfoFactory.booleanTypeInfo, value);
  }

  /**
   * The scan's own filter as a typed tree, without {@link #joins}; empty when there is no usable
   * one.
   */
  public TypedFilter typed() {
    return typed;
  }

  /**
   * Number of terms in the rows' filter with values known only at run time: a semijoin's bounds and
   * Bloom filter. Hive adds them to the rows' filter but not to the pushed one.
   */
  int dynamicTerms() {
    return dynamicTerms;
  }

  private static int dynamicTerms(TableScanOperator scan) {
    int terms = 0;
    for (Operator<?> operator : scan.getChildOperators()) {
      if (operator instanceof FilterOperator) {
        terms += TypedFilter.dynamicTerms(((FilterOperator) operator).getConf().getPredicate());
      }
    }
    return terms;
  }

  /** Usually both are equal to the byte, and no second tree is needed. */
  private static boolean isSame(ExprNodeGenericFuncDesc planned, String pushed, TypedFilter typed) {
    return SerializationUtilities.serializeExpression(planned).equals(pushed)
        || Arrays.equals(TypedFilter.of(planned).fingerprint(), typed.fingerprint());
  }
}
