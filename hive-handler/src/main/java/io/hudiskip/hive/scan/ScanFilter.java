/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.scan;

import io.hudiskip.filter.TypedFilter;
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
 * alone is not to be trusted: on MapReduce one configuration serves all tables of a job, and for a
 * path that two scans read, the filter of a table listed earlier is still there ({@code
 * HiveInputFormat.pushFiltersAndAsOf}). So it has to be the filter of the one scan that the plan
 * has for the path.
 */
public final class ScanFilter {
  private final ExprNodeGenericFuncDesc expression;
  private final TypedFilter typed;
  private final int dynamicTerms;

  private ScanFilter(
      @Nullable ExprNodeGenericFuncDesc expression, TypedFilter typed, int ofRowsAlone) {
    this.expression = expression;
    this.typed = typed;
    this.dynamicTerms = Math.max(typed.dynamicTerms(), ofRowsAlone);
  }

  /**
   * The filter of the only scan of a table.
   *
   * @param job configuration given to a listing or a record reader
   * @param path the table's root or a file under it
   * @throws KeepAllFilesException when it is not certain which filter the rows of this path will
   *     meet
   */
  static ScanFilter of(JobConf job, Path path) throws KeepAllFilesException {
    String serialized = job.get(TableScanDesc.FILTER_EXPR_CONF_STR);
    ExprNodeGenericFuncDesc pushed =
        serialized == null ? null : SerializationUtilities.deserializeExpression(serialized);
    if (ScanOperators.isFetch(job, path)) {
      // FetchOperator has a configuration of its own, with the filter of its one scan, no joins.
      return new ScanFilter(pushed, TypedFilter.of(pushed), 0);
    }
    TableScanOperator scan = ScanOperators.only(job, path);
    ExprNodeGenericFuncDesc planned = scan.getConf().getFilterExpr();
    TypedFilter typed = TypedFilter.of(pushed);
    if ((planned == null) != (pushed == null)
        || (planned != null && !isSame(planned, serialized, typed))) {
      throw new KeepAllFilesException(
          "the filter in the job configuration is not that of the scan");
    }
    return new ScanFilter(pushed, typed, dynamicTerms(scan));
  }

  /** Hive's own expression, empty when the scan has no filter; not to be changed or evaluated. */
  public Optional<ExprNodeGenericFuncDesc> expression() {
    return Optional.ofNullable(expression);
  }

  /** The filter as a typed tree; empty when the scan has none that can be used. */
  public TypedFilter typed() {
    return typed;
  }

  /**
   * How many terms of the filter that the rows meet have values that are known only at run time: a
   * semijoin's bounds and bloom filter. Hive adds them to the filter of the rows and not to the one
   * that it pushes.
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

  /** Mostly the two are the same to the byte, and no second tree need be made. */
  private static boolean isSame(ExprNodeGenericFuncDesc planned, String pushed, TypedFilter typed) {
    return SerializationUtilities.serializeExpression(planned).equals(pushed)
        || Arrays.equals(TypedFilter.of(planned).fingerprint(), typed.fingerprint());
  }
}
