// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.shadow;

import io.hudiskip.hive.filter.FilterTermBuilder;
import io.hudiskip.hive.read.FilterColumnsReader;
import io.hudiskip.hive.scan.FileSelector;
import io.hudiskip.hive.scan.ScanFilter;
import io.hudiskip.hive.scan.SliceSplit;
import io.hudiskip.hive.scan.TableScan;
import io.hudiskip.hive.settings.SkippingConf;
import io.hudiskip.hive.settings.SkippingMode;
import io.hudiskip.hive.source.KeepAllFilesException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hive.ql.metadata.HiveException;
import org.apache.hadoop.hive.ql.plan.ExprNodeDesc;
import org.apache.hadoop.hive.serde2.SerDeException;
import org.apache.hadoop.mapred.InputSplit;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.Reporter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shadow mode: looks for rows that skipping would have lost.
 *
 * <p>When a split of a file that would be skipped is opened, Hive's own evaluator checks all its
 * rows; one for which the scan's filter is TRUE is a violation. The query's own reading is neither
 * changed nor failed by it. The listing passes no list of files, so the check decides again whether
 * the file would be skipped.
 */
public final class ShadowCheck {
  private static final Logger LOG = LoggerFactory.getLogger(ShadowCheck.class);

  /** Rows between progress reports to the engine. */
  private static final int ROWS_PER_REPORT = 10_000;

  private final SliceSplit split;
  private final JobConf job;
  private final Reporter reporter;

  private ShadowCheck(SliceSplit split, JobConf job, Reporter reporter) {
    this.split = split;
    this.job = job;
    this.reporter = reporter;
  }

  /** Checks a split if the mode is shadow and its file would be skipped. Never throws. */
  public static void run(InputSplit split, JobConf job, Reporter reporter) {
    if (SkippingConf.of(job).mode() == SkippingMode.SHADOW && split instanceof SliceSplit) {
      new ShadowCheck((SliceSplit) split, job, reporter).run();
    }
  }

  private void run() {
    Path file = split.getPath();
    try {
      TableScan scan = TableScan.reading(job, split);
      if (FileSelector.select(scan, Collections.singletonList(split.slice())).keeps(0)) {
        return;
      }
      ShadowLog log = new ShadowLog(scan, split, reporter);
      try {
        long start = System.nanoTime();
        ShadowFindings findings = read(scan.filter());
        log.checked(findings, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
      } catch (InterruptedException | InterruptedIOException e) {
        Thread.currentThread().interrupt(); // also ends the query's own reader
        log.failed(e);
      } catch (
          Throwable e) { // the query reads the file all the same, whatever Error the check meets
        log.failed(e);
      }
    } catch (KeepAllFilesException e) {
      LOG.debug("No file in the table of {} would be skipped", file, e);
    } catch (Throwable e) { // the query reads the file all the same, whatever Error the check meets
      LOG.warn("Shadow mode cannot determine whether {} would be skipped", file, e);
    }
  }

  private ShadowFindings read(ScanFilter scanFilter)
      throws IOException,
          InterruptedException,
          SerDeException,
          HiveException,
          KeepAllFilesException {
    List<ExprNodeDesc> conjuncts =
        scanFilter
            .expression()
            // A copy: functions have state, and other threads evaluate their own.
            .flatMap(filter -> FilterTermBuilder.conjunctNodes(filter.clone()))
            .orElseThrow(() -> new KeepAllFilesException("the filter cannot be evaluated"));
    Set<String> columns = new TreeSet<>();
    conjuncts.forEach(conjunct -> columns.addAll(conjunct.getCols()));
    try (FilterColumnsReader rows = new FilterColumnsReader(split, job, columns)) {
      RowFilter filter = new RowFilter(conjuncts, rows.inspector(), job);
      ShadowFindings findings = new ShadowFindings(rows.inspector(), columns);
      for (Object row = rows.next(); row != null; row = rows.next()) {
        findings.add(row, filter.accepts(row));
        if (findings.rows() % ROWS_PER_REPORT == 0) {
          reporter.progress();
          if (Thread.currentThread().isInterrupted()) {
            throw new InterruptedException("the query was ended");
          }
        }
      }
      return findings;
    }
  }
}
