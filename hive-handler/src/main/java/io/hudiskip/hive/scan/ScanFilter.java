/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.scan;

import io.hudiskip.filter.TypedFilter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.annotation.Nullable;
import org.apache.commons.lang3.StringEscapeUtils;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hive.conf.HiveConf;
import org.apache.hadoop.hive.ql.exec.FetchOperator;
import org.apache.hadoop.hive.ql.exec.FilterOperator;
import org.apache.hadoop.hive.ql.exec.Operator;
import org.apache.hadoop.hive.ql.exec.SerializationUtilities;
import org.apache.hadoop.hive.ql.exec.TableScanOperator;
import org.apache.hadoop.hive.ql.exec.Utilities;
import org.apache.hadoop.hive.ql.plan.ExprNodeGenericFuncDesc;
import org.apache.hadoop.hive.ql.plan.MapWork;
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
    if (isFetch(job, path)) {
      // FetchOperator has a configuration of its own, with the filter of its one scan, no joins.
      return new ScanFilter(pushed, TypedFilter.of(pushed), 0);
    }
    TableScanOperator scan = onlyScan(job, path);
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

  private static boolean isFetch(JobConf job, Path path) {
    String directories = job.get(FetchOperator.FETCH_OPERATOR_DIRECTORY_LIST);
    if (directories == null) {
      return false;
    }
    for (String directory : directories.split("\t", -1)) {
      if (contains(new Path(StringEscapeUtils.unescapeJava(directory)), path)) {
        return true;
      }
    }
    return false;
  }

  private static TableScanOperator onlyScan(JobConf job, Path path) throws KeepAllFilesException {
    MapWork work = mapWork(job);
    if (work == null) {
      throw new KeepAllFilesException("the plan of the job was not found");
    }
    List<String> aliases = new ArrayList<>();
    for (Map.Entry<Path, List<String>> entry : work.getPathToAliases().entrySet()) {
      if (contains(entry.getKey(), path)) {
        aliases.addAll(entry.getValue());
      }
    }
    if (aliases.size() != 1) {
      throw new KeepAllFilesException(aliases.size() + " scans of one job read this table");
    }
    Operator<?> operator = work.getAliasToWork().get(aliases.get(0));
    if (!(operator instanceof TableScanOperator)) {
      throw new KeepAllFilesException("the scan was not found in the plan of the job");
    }
    return (TableScanOperator) operator;
  }

  /** The plan by which Hive's own input format lists: see {@code HiveInputFormat.init}. */
  private static MapWork mapWork(JobConf job) {
    if ("tez".equals(HiveConf.getVar(job, HiveConf.ConfVars.HIVE_EXECUTION_ENGINE))) {
      MapWork merged = (MapWork) Utilities.getMergeWork(job);
      if (merged != null) {
        return merged;
      }
    }
    return Utilities.getMapWork(job);
  }

  /** Mostly the two are the same to the byte, and no second tree need be made. */
  private static boolean isSame(ExprNodeGenericFuncDesc planned, String pushed, TypedFilter typed) {
    return SerializationUtilities.serializeExpression(planned).equals(pushed)
        || Arrays.equals(TypedFilter.of(planned).fingerprint(), typed.fingerprint());
  }

  private static boolean contains(Path directory, Path path) {
    Path root = Path.getPathWithoutSchemeAndAuthority(directory);
    for (Path p = Path.getPathWithoutSchemeAndAuthority(path); p != null; p = p.getParent()) {
      if (p.equals(root)) {
        return true;
      }
    }
    return false;
  }
}
