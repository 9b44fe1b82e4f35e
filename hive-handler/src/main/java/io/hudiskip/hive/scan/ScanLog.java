/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.scan;

import io.hudiskip.SkippingMode;
import io.hudiskip.hive.catalogue.Candidates;
import io.hudiskip.hive.table.TableTotals;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The one {@link LogLine} that is logged for every scan. */
final class ScanLog {
  private static final Logger LOG = LoggerFactory.getLogger("io.hudiskip.scan");
  private static final Logger EXPLANATIONS = LoggerFactory.getLogger("io.hudiskip.explain");

  private ScanLog() {}

  /**
   * Logs a scan in which file slices were selected.
   *
   * @param candidates the slices that were chosen from
   * @param kept those that are read; in shadow mode those that would be
   * @param millis time of listing and selection
   */
  static void selected(
      TableScan scan,
      Candidates candidates,
      TableTotals kept,
      FileSelection selection,
      long millis) {
    if (LOG.isInfoEnabled()) {
      LOG.info(selectedLine(scan, candidates, kept, selection, millis));
    }
  }

  /** Logs a scan that reads every file, and why. */
  static void keptAll(
      TableScan scan, TableTotals table, KeepAllFilesException reason, long millis) {
    if (LOG.isInfoEnabled()) {
      LOG.info(keptAllLine(scan, table, reason, millis));
    }
  }

  /**
   * Logs how the files of a scan were selected, if that was asked for: to a logger of its own, in
   * several lines.
   */
  static void explain(TableScan scan, FileSelection selection) {
    if (EXPLANATIONS.isInfoEnabled()) {
      selection
          .explanation()
          .ifPresent(text -> EXPLANATIONS.info("{}\n{}", LogLine.about("explain", scan), text));
    }
  }

  /**
   * Logs a scan that lists no file, because its filter is TRUE for no row.
   *
   * @param table what is known of it without a listing
   */
  static void notListed(TableScan scan, TableTotals table, long millis) {
    if (LOG.isInfoEnabled()) {
      LOG.info(notListedLine(scan, table, millis));
    }
  }

  static String notListedLine(TableScan scan, TableTotals table, long millis) {
    return LogLine.about("scan", scan)
        .add("files", table.files())
        .add("kept", 0)
        .add("bytes", table.bytes())
        .add("kept_bytes", 0)
        .add("source", "none")
        .add("ms", millis)
        .add("expression", "none")
        .toString();
  }

  static String selectedLine(
      TableScan scan,
      Candidates candidates,
      TableTotals kept,
      FileSelection selection,
      long millis) {
    LogLine line = start(scan, candidates.totals(), kept, selection.dynamicTerms());
    selection.index().fields().forEach(line::add);
    return line.add("source", selection.source())
        .add("listing", candidates.source())
        .add("ms", millis)
        .add("expression", selection.expression())
        .toString();
  }

  static String keptAllLine(
      TableScan scan, TableTotals table, KeepAllFilesException reason, long millis) {
    return start(scan, table, table, reason.dynamicTerms())
        .add("source", "none")
        .add("ms", millis)
        .add("reason", reason.getMessage())
        .toString();
  }

  private static LogLine start(
      TableScan scan, TableTotals table, TableTotals kept, int dynamicTerms) {
    LogLine line = LogLine.about("scan", scan);
    SkippingMode mode = scan.mode();
    if (mode == SkippingMode.SHADOW) {
      line.add("mode", mode);
    }
    line.add("files", table.files())
        .add("kept", kept.files())
        .add("bytes", table.bytes())
        .add("kept_bytes", kept.bytes());
    return dynamicTerms == 0 ? line : line.add("dynamic_terms", dynamicTerms);
  }
}
