/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.scan;

import io.hudiskip.SkippingMode;
import io.hudiskip.hive.table.TableTotals;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import javax.annotation.Nullable;
import org.apache.commons.lang3.StringEscapeUtils;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hive.conf.HiveConf;
import org.apache.hadoop.hive.ql.exec.FetchOperator;
import org.apache.hadoop.hive.ql.exec.SerializationUtilities;
import org.apache.hadoop.hive.ql.metadata.InputEstimator.Estimation;
import org.apache.hadoop.hive.ql.plan.TableScanDesc;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hudi.common.model.FileSlice;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a scan would read, before it runs: for the plan that {@code EXPLAIN} prints, and for Hive's
 * choice whether HiveServer2 reads it itself or starts a job ({@code SimpleFetchOptimizer}).
 */
public final class PlannedScan {
  private static final Logger LOG = LoggerFactory.getLogger(PlannedScan.class);
  private static final Pattern EXPLAIN =
      Pattern.compile("\\A(\\s|--[^\\n]*\\n)*explain\\b", Pattern.CASE_INSENSITIVE);

  private PlannedScan() {}

  /**
   * Whether the session's statement is an EXPLAIN. Hooks and HiveServer2's web interface have the
   * plans of queries printed too, which must not list the table once more.
   */
  public static boolean isAskedFor(Configuration session) {
    return EXPLAIN.matcher(HiveConf.getQueryString(session)).find();
  }

  /**
   * Lists the table and selects its files as the query would. Never throws.
   *
   * @param jobProperties what the handler has settled for the jobs that read the table
   * @return lines of the plan by their names, in their order
   */
  public static Map<String, String> describe(
      Configuration session, Map<String, String> jobProperties, TableScanDesc scan) {
    Path root = scan.getTableMetadata().getDataLocation();
    try {
      Configuration settled = new Configuration(session);
      jobProperties.forEach(settled::set);
      return describe(TableScan.listing(job(settled, scan), root));
    } catch (Exception | LinkageError e) { // the plan is right without these lines
      LOG.warn("It is not known what a scan of {} would read", root, e);
      return Collections.singletonMap("hudi-skip reason", "not known: " + e.getMessage());
    }
  }

  /**
   * Bytes of the files that the scan's filter leaves, by the statistics index; of the whole table
   * where the index does not list it. They are too few only if the index cannot be read any more
   * when the query runs.
   *
   * @param settled configuration of the session, with what the handler has settled for the jobs
   * @param limit above which it is enough to know that there are more; negative for none
   * @return with the number of rows in the whole table
   * @throws IOException when neither the index nor Hudi knows the table
   */
  public static Estimation estimate(JobConf settled, TableScanDesc scan, long limit)
      throws IOException {
    Path root = scan.getTableMetadata().getDataLocation();
    TableTotals all = TableTotals.of(settled, root);
    long bytes = all.bytes();
    // A compiler that has just not answered is not asked once more: each time costs its deadline.
    if (scan.getFilterExpr() == null || scan.getFilterObject() != null) {
      bytes =
          new TableScan(job(settled, scan), root)
              .indexedBytes(limit < 0 ? Long.MAX_VALUE : limit)
              .orElse(bytes);
    }
    long rows = all.rows().orElse(Integer.MAX_VALUE);
    return new Estimation((int) Math.min(rows, Integer.MAX_VALUE), bytes);
  }

  private static Map<String, String> describe(TableScan scan) throws IOException {
    List<FileSlice> listing = scan.slices();
    Map<String, String> lines = new LinkedHashMap<>();
    SkippingMode mode = scan.mode();
    if (mode == SkippingMode.SHADOW) {
      lines.put("hudi-skip mode", mode.toString());
    }
    List<FileSlice> kept = new ArrayList<>();
    String name;
    String text;
    try {
      FileSelection selection = FileSelector.select(scan, listing);
      kept.addAll(selection.of(listing));
      name = "hudi-skip expression";
      text = selection.expression();
    } catch (KeepAllFilesException e) {
      kept.addAll(listing);
      name = "hudi-skip reason";
      text = e.getMessage();
    }
    TableTotals matching = TableTotals.of(kept);
    TableTotals all = TableTotals.of(listing);
    lines.put("hudi-skip files", matching.files() + " of " + all.files());
    lines.put("hudi-skip bytes", matching.bytes() + " of " + all.bytes());
    lines.put(name, text);
    return lines;
  }

  /**
   * The configuration with which HiveServer2 would list, were it to read the table itself.
   *
   * @param settled configuration of the session, with what the handler has settled for the jobs
   */
  private static JobConf job(Configuration settled, TableScanDesc scan) {
    JobConf job = new JobConf(settled);
    String root = scan.getTableMetadata().getDataLocation().toString();
    job.set(FetchOperator.FETCH_OPERATOR_DIRECTORY_LIST, StringEscapeUtils.escapeJava(root));
    set(job, TableScanDesc.AS_OF_TIMESTAMP, ScanOperators.millis(job, scan.getAsOfTimestamp()));
    set(job, TableScanDesc.AS_OF_VERSION, scan.getAsOfVersion());
    if (scan.getFilterExpr() != null) {
      job.set(
          TableScanDesc.FILTER_EXPR_CONF_STR,
          SerializationUtilities.serializeExpression(scan.getFilterExpr()));
    }
    if (scan.getFilterObject() != null) {
      job.set(
          TableScanDesc.FILTER_OBJECT_CONF_STR,
          SerializationUtilities.serializeObject(scan.getFilterObject()));
    }
    return job;
  }

  private static void set(JobConf job, String name, @Nullable String value) {
    if (value != null) {
      job.set(name, value);
    }
  }
}
