// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan;

import io.hudiskip.hive.metrics.ScanMetrics;
import io.hudiskip.hive.settings.SkippingMode;
import io.hudiskip.scan.savings.join.UnsentValues;
import io.hudiskip.table.TableTotals;
import io.hudiskip.table.source.Candidates;
import io.hudiskip.table.source.IndexLag;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hudi.common.model.FileSlice;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which files one scan reads, and why; published once, to the log, the metrics and the session.
 * Immutable.
 */
final class ScanReport {
  private static final Logger LOG = LoggerFactory.getLogger("io.hudiskip.scan");
  private static final Logger EXPLANATIONS = LoggerFactory.getLogger("io.hudiskip.explain");
  private static final double MEGABYTE = 1_000_000;

  private final TableScan scan;
  private final TableTotals listed;
  private final TableTotals opened;
  private final CoveredFiles covered;
  private final Optional<FileSelection> selection;
  private final String listing;
  private final Optional<IndexLag> lag;

  private ScanReport(
      TableScan scan,
      TableTotals listed,
      TableTotals opened,
      CoveredFiles covered,
      Optional<FileSelection> selection,
      String listing,
      Optional<IndexLag> lag) {
    this.scan = scan;
    this.listed = listed;
    this.opened = opened;
    this.covered = covered;
    this.selection = selection;
    this.listing = listing;
    this.lag = lag;
  }

  /**
   * A scan that lists no file, because its filter is TRUE for no row.
   *
   * @param table what is known of the table without a listing
   */
  static ScanReport notListed(TableScan scan, TableTotals table) {
    return new ScanReport(
        scan, table, TableTotals.NONE, CoveredFiles.NONE, Optional.empty(), "", Optional.empty());
  }

  /**
   * A scan whose filter was applied to files.
   *
   * @param opened the slices that are read, or would be without shadow mode
   * @param covered the slices whose rows are known without opening them
   */
  static ScanReport of(
      TableScan scan,
      Candidates candidates,
      List<FileSlice> opened,
      CoveredFiles covered,
      FileSelection selection,
      Optional<IndexLag> lag) {
    return new ScanReport(
        scan,
        candidates.totals(),
        TableTotals.of(opened),
        covered,
        Optional.of(selection),
        candidates.source(),
        lag);
  }

  /** Writes a line to the scan log. */
  static void log(LogLine line) {
    LOG.info(line.toString());
  }

  /**
   * Writes the scan's line to the log, counts the scan in the metrics, and tells the session.
   *
   * @param start when it began, by {@link System#nanoTime}
   */
  void publish(long start) {
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
    log(line(millis));
    if (selection.isPresent() && selection.get().reason().isPresent() && covered.rows() == 0) {
      ScanMetrics.shared().unfiltered(scan.queryId(), listed, millis);
    } else {
      ScanMetrics.shared().selected(scan.queryId(), listed, opened, millis);
    }
    lag.ifPresent(
        behind ->
            ScanMetrics.shared().lag(scan.root(), behind.notIndexed().files(), behind.commits()));
    selection.ifPresent(chosen -> SessionMessages.tell(scan.job(), message(chosen)));
    if (EXPLANATIONS.isInfoEnabled()) {
      selection
          .flatMap(FileSelection::explanation)
          .ifPresent(text -> EXPLANATIONS.info("{}\n{}", LogLine.about("explain", scan), text));
    }
  }

  /** The line of the scan log. */
  LogLine line(long millis) {
    LogLine line = LogLine.about("scan", scan);
    if (scan.mode() == SkippingMode.SHADOW) {
      line.add("mode", scan.mode());
    }
    line.add("files", listed.files())
        .add("kept", opened.files())
        .add("bytes", listed.bytes())
        .add("kept_bytes", opened.bytes());
    int dynamicTerms = selection.map(FileSelection::dynamicTerms).orElse(0);
    if (dynamicTerms > 0) {
      line.add("dynamic_terms", dynamicTerms);
    }
    String joins = UnsentValues.after(scan.joins(), scan.job());
    if (!joins.isEmpty()) {
      line.add("joins", joins);
    }
    if (covered.rows() > 0) {
      line.add("covered", covered.totals().files()).add("covered_rows", covered.rows());
    }
    if (!selection.isPresent()) {
      return line.add("source", "none").add("ms", millis).add("expression", "none");
    }
    FileSelection chosen = selection.get();
    if (chosen.reason().isPresent()) {
      return line.add("source", chosen.source())
          .add("ms", millis)
          .add("reason", chosen.reason().get());
    }
    lag.ifPresent(
        behind ->
            line.add("not_indexed", behind.notIndexed().files())
                .add("not_indexed_bytes", behind.notIndexed().bytes())
                .add("commits_behind", behind.commits()));
    scan.matchingPartitions()
        .filter(partitions -> partitions.leftOut() > 0)
        .ifPresent(partitions -> line.add("partitions_left_out", partitions.leftOut()));
    chosen.index().fields().forEach(line::add);
    return line.add("source", chosen.source())
        .add("listing", listing)
        .add("ms", millis)
        .add("expression", chosen.expression());
  }

  /** The message to the session. */
  private String message(FileSelection chosen) {
    String read =
        String.format(
            Locale.ROOT,
            "%d of %d files (%.1f of %.1f MB)",
            opened.files(),
            listed.files(),
            opened.bytes() / MEGABYTE,
            listed.bytes() / MEGABYTE);
    String known =
        covered.rows() == 0
            ? ""
            : ", the rows of " + covered.totals().files() + " are known without reading them";
    if (chosen.reason().isPresent()) {
      return read + known + ": " + chosen.reason().get();
    }
    return read
        + (scan.mode() == SkippingMode.SHADOW ? " would be read" : "")
        + known
        + lag.filter(IndexLag::isBehind)
            .map(behind -> ", " + SessionMessages.behind(behind.commits(), scan.root()))
            .orElse("")
        + Optional.ofNullable(chosen.index().fields().get("index"))
            .map(other -> ", by " + other)
            .orElse("");
  }
}
