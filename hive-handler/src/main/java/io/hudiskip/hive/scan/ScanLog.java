/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.scan;

import io.hudiskip.SkippingMode;
import io.hudiskip.index.LiveTotals;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.FileStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The one {@link LogLine} that is logged for every scan. */
final class ScanLog {
  private static final Logger LOG = LoggerFactory.getLogger("io.hudiskip.scan");
  private static final Logger EXPLANATIONS = LoggerFactory.getLogger("io.hudiskip.explain");

  private ScanLog() {}

  /**
   * Logs a scan in which files were selected.
   *
   * @param kept the files that are read; in shadow mode those that would be
   * @param millis time of listing and selection
   */
  static void selected(
      TableScan scan,
      List<FileStatus> listing,
      List<FileStatus> kept,
      FileSelection selection,
      long millis) {
    if (LOG.isInfoEnabled()) {
      LOG.info(selectedLine(scan, listing, kept, selection, millis));
    }
  }

  /** Logs a scan that reads every file, and why. */
  static void keptAll(
      TableScan scan, List<FileStatus> listing, KeepAllFilesException reason, long millis) {
    if (LOG.isInfoEnabled()) {
      LOG.info(keptAllLine(scan, listing, reason, millis));
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
   * @param totals files and bytes of the table, if the index knows them
   */
  static void notListed(TableScan scan, Optional<LiveTotals> totals, long millis) {
    if (LOG.isInfoEnabled()) {
      LOG.info(notListedLine(scan, totals, millis));
    }
  }

  static String notListedLine(TableScan scan, Optional<LiveTotals> totals, long millis) {
    return LogLine.about("scan", scan)
        .add("files", totals.map(LiveTotals::files).orElse(0L))
        .add("kept", 0)
        .add("bytes", totals.map(LiveTotals::bytes).orElse(0L))
        .add("kept_bytes", 0)
        .add("source", "none")
        .add("ms", millis)
        .add("expression", "none")
        .toString();
  }

  static String selectedLine(
      TableScan scan,
      List<FileStatus> listing,
      List<FileStatus> kept,
      FileSelection selection,
      long millis) {
    return start(scan, listing, kept, selection.dynamicTerms())
        .add("generation", selection.generation())
        .add("instant", selection.instant())
        .add("source", selection.source())
        .add("ms", millis)
        .add("expression", selection.expression())
        .toString();
  }

  static String keptAllLine(
      TableScan scan, List<FileStatus> listing, KeepAllFilesException reason, long millis) {
    return start(scan, listing, listing, reason.dynamicTerms())
        .add("source", "none")
        .add("ms", millis)
        .add("reason", reason.getMessage())
        .toString();
  }

  private static LogLine start(
      TableScan scan, List<FileStatus> listing, List<FileStatus> kept, int dynamicTerms) {
    LogLine line = LogLine.about("scan", scan);
    SkippingMode mode = scan.mode();
    if (mode == SkippingMode.SHADOW) {
      line.add("mode", mode);
    }
    line.add("files", listing.size())
        .add("kept", kept.size())
        .add("bytes", bytes(listing))
        .add("kept_bytes", bytes(kept));
    return dynamicTerms == 0 ? line : line.add("dynamic_terms", dynamicTerms);
  }

  static long bytes(List<FileStatus> files) {
    return files.stream().mapToLong(FileStatus::getLen).sum();
  }
}
