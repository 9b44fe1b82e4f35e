// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.scan;

import io.hudiskip.hive.source.KeepAllFilesException;
import io.hudiskip.hive.wire.TypedFilter;
import java.util.Arrays;
import java.util.Optional;
import javax.annotation.Nullable;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hive.ql.exec.FilterOperator;
import org.apache.hadoop.hive.ql.exec.Operator;
import org.apache.hadoop.hive.ql.exec.SerializationUtilities;
import org.apache.hadoop.hive.ql.exec.TableScanOperator;
import org.apache.hadoop.hive.ql.plan.ExprNodeGenericFuncDesc;
import org.apache.hadoop.hive.ql.plan.TableScanDesc;
import org.apache.hadoop.mapred.JobConf;

/**
 * The filter that every reader of a path applies, read once. The filter in the job configuration
 * cannot be trusted alone: on MapReduce, one configuration serves all tables of a job, and for a
 * path that two scans read, an earlier table's filter remains ({@code
 * HiveInputFormat.pushFiltersAndAsOf}). So it must be the filter of the plan's only scan of the
 * path.
 */
public final class ScanFilter {
  private final ExprNodeGenericFuncDesc expression;
  private final TypedFilter typed;
  private final int dynamicTerms;

  private ScanFilter(
      @Nullable ExprNodeGenericFuncDesc expression, TypedFilter typed, int rowFilterTerms) {
    this.expression = expression;
    this.typed = typed;
    this.dynamicTerms = Math.max(typed.dynamicTerms(), rowFilterTerms);
  }

  /** The filter of the only scan of a table. */
  static ScanFilter of(JobConf job, Path path) throws KeepAllFilesException {
    String serialized = job.get(TableScanDesc.FILTER_EXPR_CONF_STR);
    ExprNodeGenericFuncDesc pushed =
        serialized == null ? null : SerializationUtilities.deserializeExpression(serialized);
    if (ScanOperators.isFetch(job, path)) {
      // FetchOperator has its own configuration with the filter of its only scan, and no joins.
      return new ScanFilter(pushed, TypedFilter.of(pushed), 0);
    }
    TableScanOperator scan = ScanOperators.only(job, path);
    ExprNodeGenericFuncDesc planned = scan.getConf().getFilterExpr();
    TypedFilter typed = TypedFilter.of(pushed);
    if ((planned == null) != (pushed == null)
        || (planned != null && !isSame(planned, serialized, typed))) {
      throw new KeepAllFilesException(
          "the filter in the job configuration differs from the filter of the scan");
    }
    return new ScanFilter(pushed, typed, dynamicTerms(scan));
  }

  /** Hive's own expression; empty when the scan has no filter; not to be changed or evaluated. */
  public Optional<ExprNodeGenericFuncDesc> expression() {
    return Optional.ofNullable(expression);
  }

  /** The filter as a typed tree; empty when there is no usable one. */
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
