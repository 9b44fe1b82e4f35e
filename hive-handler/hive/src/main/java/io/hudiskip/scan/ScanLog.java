// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan;

import io.hudiskip.hive.settings.SkippingMode;
import io.hudiskip.scan.savings.join.UnsentValues;
import io.hudiskip.table.TableTotals;
import io.hudiskip.table.source.Candidates;
import io.hudiskip.table.source.IndexLag;
import io.hudiskip.table.source.KeepAllFilesException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes one {@link LogLine} per scan. */
final class ScanLog {
  private static final Logger LOG = LoggerFactory.getLogger("io.hudiskip.scan");
  private static final Logger EXPLANATIONS = LoggerFactory.getLogger("io.hudiskip.explain");

  private ScanLog() {}

  static void write(String line) {
    LOG.info(line);
  }

  /**
   * Logs how a scan's files were selected, if requested: on a separate logger, in several lines.
   */
  static void explain(TableScan scan, FileSelection selection) {
    if (EXPLANATIONS.isInfoEnabled()) {
      selection
          .explanation()
          .ifPresent(text -> EXPLANATIONS.info("{}\n{}", LogLine.about("explain", scan), text));
    }
  }

  /**
   * The line of a scan that lists no file, because its filter is TRUE for no row; {@code table} is
   * what is known without a listing.
   */
  static String notListedLine(TableScan scan, TableTotals table, long millis) {
    return start(scan, table, TableTotals.NONE, 0)
        .add("source", "none")
        .add("ms", millis)
        .add("expression", "none")
        .toString();
  }

  /**
   * The line of a scan in which file slices were selected.
   *
   * @param kept totals of the slices that are read, or would be without shadow mode
   * @param covered the slices whose rows are known without opening them
   */
  static String selectedLine(
      TableScan scan,
      Candidates candidates,
      TableTotals kept,
      CoveredFiles covered,
      FileSelection selection,
      Optional<IndexLag> lag,
      long millis) {
    LogLine line = start(scan, candidates.totals(), kept, selection.dynamicTerms());
    add(line, covered);
    lag.ifPresent(
        behind ->
            line.add("not_indexed", behind.notIndexed().files())
                .add("not_indexed_bytes", behind.notIndexed().bytes())
                .add("commits_behind", behind.commits()));
    scan.matchingPartitions()
        .filter(partitions -> partitions.leftOut() > 0)
        .ifPresent(partitions -> line.add("partitions_left_out", partitions.leftOut()));
    selection.index().fields().forEach(line::add);
    return line.add("source", selection.source())
        .add("listing", candidates.source())
        .add("ms", millis)
        .add("expression", selection.expression())
        .toString();
  }

  /**
   * The line of a count that is answered without reading the table's files.
   *
   * @param footers number of files whose footers were read
   */
  static String countedLine(TableScan scan, Candidates files, long rows, int footers, long millis) {
    return LogLine.about("count", scan)
        .add("files", files.slices().size())
        .add("rows", rows)
        .add("footers", footers)
        .add("listing", files.source())
        .add("ms", millis)
        .toString();
  }

  /**
   * The line of a scan in which no slice was skipped.
   *
   * @param kept totals of the slices that are read
   */
  static String keptAllLine(
      TableScan scan,
      TableTotals table,
      TableTotals kept,
      CoveredFiles covered,
      KeepAllFilesException reason,
      long millis) {
    LogLine line = start(scan, table, kept, reason.dynamicTerms());
    add(line, covered);
    return line.add("source", "none")
        .add("ms", millis)
        .add("reason", reason.getMessage())
        .toString();
  }

  private static void add(LogLine line, CoveredFiles covered) {
    if (covered.rows() > 0) {
      line.add("covered", covered.totals().files()).add("covered_rows", covered.rows());
    }
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
    if (dynamicTerms > 0) {
      line.add("dynamic_terms", dynamicTerms);
    }
    String joins = UnsentValues.after(scan.joins(), scan.job());
    return joins.isEmpty() ? line : line.add("joins", joins);
  }
}
