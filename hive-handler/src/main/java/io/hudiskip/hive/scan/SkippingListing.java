/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.scan;

import io.hudiskip.SkippingMode;
import io.hudiskip.hive.table.SnapshotMode;
import io.hudiskip.hive.table.TableTotals;
import io.hudiskip.index.LiveTotals;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.FileSplit;
import org.apache.hadoop.mapred.InputSplit;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hudi.hadoop.HoodieCopyOnWriteTableInputFormat;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lists the latest base files of Hudi tables and leaves out those that the scan's filter cannot
 * match.
 *
 * <p>Hive has one input format object for all queries and threads of a JVM, configured once with
 * the configuration of the first of them. So there is no state here, and nothing is read from the
 * object's own configuration: everything comes from the {@code JobConf} of the call.
 */
public final class SkippingListing extends HoodieCopyOnWriteTableInputFormat {
  private static final Logger LOG = LoggerFactory.getLogger(SkippingListing.class);

  @Override
  public FileStatus[] listStatus(JobConf job) throws IOException {
    return new OneScan().listStatus(job);
  }

  @Override
  public InputSplit[] getSplits(JobConf job, int hint) throws IOException {
    return new OneScan().getSplits(job, hint);
  }

  /** One call, with what it found on the way. */
  private static final class OneScan extends HoodieCopyOnWriteTableInputFormat {
    private final List<FileStatus> listed = new ArrayList<>();
    private final List<FileStatus> matched = new ArrayList<>();

    @Override
    public FileStatus[] listStatus(JobConf job) throws IOException {
      List<FileStatus> files = new ArrayList<>();
      for (Path root : getInputPaths(job)) {
        files.addAll(list(TableScan.listing(job, root)));
      }
      return files.toArray(new FileStatus[0]);
    }

    @Override
    public InputSplit[] getSplits(JobConf job, int hint) throws IOException {
      InputSplit[] splits = super.getSplits(job, hint);
      if (splits.length > 0) {
        splits[0] = new CountedSplit((FileSplit) splits[0], listed, matched);
      }
      return splits;
    }

    private List<FileStatus> list(TableScan scan) throws IOException {
      long start = System.nanoTime();
      if (needsNoFile(scan)) {
        Optional<LiveTotals> totals = TableTotals.indexed(scan.job(), scan.root());
        ScanLog.notListed(scan, totals, millisSince(start));
        return Collections.emptyList();
      }
      List<FileStatus> listing = scan.latestBaseFiles();
      listed.addAll(listing);
      FileSelection selection;
      try {
        selection = FileSelector.select(scan, listing);
      } catch (KeepAllFilesException e) {
        LOG.debug("Nothing is skipped in {}", scan.root(), e);
        matched.addAll(listing);
        ScanLog.keptAll(scan, listing, e, millisSince(start));
        return listing;
      } catch (Throwable e) { // whatever goes wrong in skipping, the query must go on
        LOG.warn("Skipping failed in {}; all files are read", scan.root(), e);
        matched.addAll(listing);
        KeepAllFilesException reason = new KeepAllFilesException("skipping failed: " + e, e);
        ScanLog.keptAll(scan, listing, reason, millisSince(start));
        return listing;
      }
      List<FileStatus> kept = selection.of(listing);
      matched.addAll(kept);
      ScanLog.selected(scan, listing, kept, selection, millisSince(start));
      ScanLog.explain(scan, selection);
      // In shadow mode ShadowCheck looks at the other files when they are opened.
      return scan.mode() == SkippingMode.SHADOW ? listing : kept;
    }
  }

  private static boolean needsNoFile(TableScan scan) {
    try {
      if (FileSelector.needsNoFile(scan)) {
        SnapshotMode.require(scan.job(), scan.table());
        return true;
      }
    } catch (Throwable e) { // the table is listed then, and that says what is wrong
      LOG.debug("It is not known whether {} need be listed", scan.root(), e);
    }
    return false;
  }

  private static long millisSince(long start) {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
  }
}
