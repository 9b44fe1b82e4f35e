// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan;

import io.hudiskip.hive.settings.SkippingMode;
import io.hudiskip.scan.savings.topk.AnyRows;
import io.hudiskip.table.TableTotals;
import io.hudiskip.table.source.IndexLag;
import io.hudiskip.table.source.KeepAllFilesException;
import io.hudiskip.table.state.AsOf;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import javax.annotation.Nullable;
import org.apache.commons.lang3.StringEscapeUtils;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hive.conf.HiveConf;
import org.apache.hadoop.hive.ql.exec.FetchOperator;
import org.apache.hadoop.hive.ql.exec.SerializationUtilities;
import org.apache.hadoop.hive.ql.exec.TableScanOperator;
import org.apache.hadoop.hive.ql.metadata.InputEstimator.Estimation;
import org.apache.hadoop.hive.ql.plan.TableScanDesc;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hudi.common.model.FileSlice;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Estimates what a scan would read, for {@code EXPLAIN} and for Hive's choice between reading in
 * HiveServer2 and starting a job ({@code SimpleFetchOptimizer}).
 */
public final class ScanEstimate {
  private static final Logger LOG = LoggerFactory.getLogger(ScanEstimate.class);
  private static final Pattern EXPLAIN =
      Pattern.compile("\\A(\\s|--[^\\n]*\\n)*explain\\b", Pattern.CASE_INSENSITIVE);

  private ScanEstimate() {}

  /**
   * Whether the session's statement is an EXPLAIN. Hooks and HiveServer2's web interface also print
   * plans of queries, which must not list the table again.
   */
  public static boolean isAskedFor(Configuration session) {
    return EXPLAIN.matcher(HiveConf.getQueryString(session)).find();
  }

  /**
   * Lists the table and selects its files as the query would. Never throws.
   *
   * @return ordered lines of the plan by name
   */
  public static Map<String, String> describe(
      Configuration session, Map<String, String> jobProperties, TableScanDesc scan) {
    Path root = scan.getTableMetadata().getDataLocation();
    try {
      Configuration settled = new Configuration(session);
      jobProperties.forEach(settled::set);
      return describe(TableScan.start(job(settled, scan), root));
    } catch (Exception | LinkageError e) { // the plan is correct without these lines
      LOG.warn("Cannot determine what a scan of {} would read", root, e);
      return Collections.singletonMap("hudi-skip reason", "not known: " + e.getMessage());
    }
  }

  /**
   * Bytes of the files that the scan's filter leaves, from the statistics index; where the index
   * cannot list them, of the partitions that the filter can match, or of the whole table; without a
   * filter, of the files that hold the rows of a {@code LIMIT}. Too low only if the index becomes
   * unreadable before the query runs, or where {@link TableTotals} are estimated.
   *
   * @param limit counting may stop above it; negative for none
   * @return also has the number of rows in the whole table
   * @throws IOException when neither the index nor Hudi can list the table
   */
  public static Estimation estimate(JobConf settled, TableScanOperator operator, long limit)
      throws IOException {
    TableScanDesc scan = operator.getConf();
    Path root = scan.getTableMetadata().getDataLocation();
    TableTotals all = TableTotals.of(settled, root);
    TableScan started = new TableScan(job(settled, scan), root);
    long most = limit < 0 ? Long.MAX_VALUE : limit;
    OptionalLong bytes =
        all.bytes() <= most ? OptionalLong.empty() : bytesOfLimit(started, operator);
    // Do not call a compiler that has just failed to answer: each call costs its deadline.
    if (!bytes.isPresent() && (scan.getFilterExpr() == null || scan.getFilterObject() != null)) {
      bytes = started.indexedBytes(most);
      if (!bytes.isPresent() && all.bytes() > most) {
        bytes = bytesOfPartitions(started);
      }
    }
    long rows = all.rows().orElse(Integer.MAX_VALUE);
    return new Estimation((int) Math.min(rows, Integer.MAX_VALUE), bytes.orElse(all.bytes()));
  }

  private static OptionalLong bytesOfLimit(TableScan scan, TableScanOperator operator) {
    OptionalLong rows =
        operator.getConf().getFilterExpr() == null ? AnyRows.of(operator) : OptionalLong.empty();
    return rows.isPresent() ? RowCount.bytesOfAny(rows.getAsLong(), scan) : rows;
  }

  /** Bytes in the partitions that the filter can match; empty if paths say nothing about it. */
  private static OptionalLong bytesOfPartitions(TableScan scan) throws IOException {
    return scan.matchingPartitions().isPresent()
        ? OptionalLong.of(TableTotals.of(scan.slices()).bytes())
        : OptionalLong.empty();
  }

  private static Map<String, String> describe(TableScan scan) throws IOException {
    List<FileSlice> slices = scan.allSlices();
    Map<String, String> lines = new LinkedHashMap<>();
    SkippingMode mode = scan.mode();
    if (mode == SkippingMode.SHADOW) {
      lines.put("hudi-skip mode", mode.toString());
    }
    List<FileSlice> kept = new ArrayList<>();
    String name;
    String text;
    try {
      FileSelection selection = FileSelector.select(scan, slices);
      kept.addAll(selection.of(slices));
      scan.lag(slices)
          .filter(IndexLag::isBehind)
          .ifPresent(
              lag ->
                  lines.put(
                      "hudi-skip not_indexed",
                      lag.notIndexed().files()
                          + " files, "
                          + lag.notIndexed().bytes()
                          + " bytes; index "
                          + lag.commits()
                          + " commits behind"));
      String index = selection.index().fields().get("index");
      if (index != null) { // not an index of ours
        lines.put("hudi-skip index", index);
      }
      name = "hudi-skip expression";
      text = selection.expression();
    } catch (KeepAllFilesException e) {
      kept.addAll(slices);
      name = "hudi-skip reason";
      text = e.getMessage();
    }
    TableTotals matching = TableTotals.of(kept);
    TableTotals all = TableTotals.of(slices);
    lines.put("hudi-skip files", matching.files() + " of " + all.files());
    lines.put("hudi-skip bytes", matching.bytes() + " of " + all.bytes());
    lines.put(name, text);
    return lines;
  }

  /** The configuration that HiveServer2 would list with if it read the table itself. */
  private static JobConf job(Configuration settled, TableScanDesc scan) {
    JobConf job = new JobConf(settled);
    String root = scan.getTableMetadata().getDataLocation().toString();
    job.set(FetchOperator.FETCH_OPERATOR_DIRECTORY_LIST, StringEscapeUtils.escapeJava(root));
    set(job, TableScanDesc.AS_OF_TIMESTAMP, AsOf.millis(job, scan.getAsOfTimestamp()));
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
