/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.scan;

import io.hudiskip.SkippingMode;
import io.hudiskip.hive.catalogue.Candidates;
import io.hudiskip.hive.mode.ReadState;
import io.hudiskip.hive.table.ListingErrors;
import io.hudiskip.hive.table.TableTotals;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.FileSplit;
import org.apache.hadoop.mapred.InputSplit;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hudi.common.model.FileSlice;
import org.apache.hudi.common.model.HoodieLogFile;
import org.apache.hudi.hadoop.HoodieCopyOnWriteTableInputFormat;
import org.apache.hudi.hadoop.fs.HadoopFSUtils;
import org.apache.hudi.storage.StoragePathInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lists the file slices that queries read of Hudi tables, and leaves out those that the scan's
 * filter cannot match.
 *
 * <p>Hive has one input format object for all queries and threads of a JVM, configured once with
 * the configuration of the first of them. So there is no state here, and nothing is read from the
 * object's own configuration: everything comes from the {@code JobConf} of the call.
 */
public final class SkippingListing extends HoodieCopyOnWriteTableInputFormat {
  private static final Logger LOG = LoggerFactory.getLogger(SkippingListing.class);

  @Override
  public FileStatus[] listStatus(JobConf job) throws IOException {
    return new OneCall().listStatus(job);
  }

  @Override
  public InputSplit[] getSplits(JobConf job, int hint) throws IOException {
    return new OneCall().getSplits(job, hint);
  }

  /** One call, with what it found on the way. */
  private static final class OneCall extends HoodieCopyOnWriteTableInputFormat {
    private TableTotals listed = TableTotals.of(Collections.emptyList());
    private final List<FileSlice> matched = new ArrayList<>();
    private final Map<Path, FileSlice> read = new HashMap<>();
    private final Map<Path, Path> roots = new HashMap<>();
    private final List<SliceSplit> merged = new ArrayList<>();

    /** The base files that are read as they are; slices to be merged are in no list of files. */
    @Override
    public FileStatus[] listStatus(JobConf job) throws IOException {
      List<FileStatus> files = new ArrayList<>();
      for (Path root : getInputPaths(job)) {
        TableScan scan = TableScan.listing(job, root);
        List<FileSlice> slices = list(scan);
        ReadState state = slices.isEmpty() ? null : state(scan);
        for (FileSlice slice : slices) {
          if (slice.hasLogFiles() || state.commits().isPresent()) {
            merged.add(merged(scan, slice, state));
            continue;
          }
          FileStatus file =
              HadoopFSUtils.convertToHadoopFileStatus(slice.getBaseFile().get().getPathInfo());
          read.put(file.getPath(), slice);
          roots.put(file.getPath(), root);
          files.add(file);
        }
      }
      return files.toArray(new FileStatus[0]);
    }

    @Override
    public InputSplit[] getSplits(JobConf job, int hint) throws IOException {
      List<InputSplit> splits = new ArrayList<>();
      for (InputSplit split : super.getSplits(job, hint)) {
        FileSplit part = (FileSplit) split;
        splits.add(new SliceSplit(part, roots.get(part.getPath()), read.get(part.getPath())));
      }
      splits.addAll(merged);
      if (!splits.isEmpty()) {
        ((SliceSplit) splits.get(0)).carry(listed, TableTotals.of(matched));
      }
      return splits.toArray(new InputSplit[0]);
    }

    private static ReadState state(TableScan scan) throws IOException {
      return ListingErrors.raised(scan.root(), scan::state);
    }

    private static SliceSplit merged(TableScan scan, FileSlice slice, ReadState state)
        throws IOException {
      StoragePathInfo shown =
          slice.getBaseFile().isPresent()
              ? slice.getBaseFile().get().getPathInfo()
              : slice.getLogFiles().min(HoodieLogFile.getLogFileComparator()).get().getPathInfo();
      Path path = new Path(shown.getPath().toUri());
      BlockLocation[] blocks =
          path.getFileSystem(scan.job()).getFileBlockLocations(path, 0, shown.getLength());
      String[] hosts = blocks == null || blocks.length == 0 ? new String[0] : blocks[0].getHosts();
      return new SliceSplit(path, hosts, scan.root(), slice, state);
    }

    private List<FileSlice> list(TableScan scan) throws IOException {
      long start = System.nanoTime();
      if (needsNoFile(scan)) {
        TableTotals totals =
            TableTotals.indexed(scan.job(), scan.root())
                .orElseGet(() -> TableTotals.of(Collections.emptyList()));
        ScanLog.notListed(scan, totals, millisSince(start));
        return Collections.emptyList();
      }
      Candidates candidates = scan.candidates();
      List<FileSlice> listing = candidates.slices();
      TableTotals totals = candidates.totals();
      listed = listed.plus(totals);
      FileSelection selection;
      try {
        selection = FileSelector.select(scan, listing);
      } catch (KeepAllFilesException e) {
        LOG.debug("Nothing is skipped in {}", scan.root(), e);
        matched.addAll(listing);
        ScanLog.keptAll(scan, totals, e, millisSince(start));
        return listing;
      } catch (Throwable e) { // whatever goes wrong in skipping, the query must go on
        LOG.warn("Skipping failed in {}; all files are read", scan.root(), e);
        matched.addAll(listing);
        KeepAllFilesException reason = new KeepAllFilesException("skipping failed: " + e, e);
        ScanLog.keptAll(scan, totals, reason, millisSince(start));
        return listing;
      }
      List<FileSlice> kept = selection.of(listing);
      matched.addAll(kept);
      ScanLog.selected(scan, candidates, TableTotals.of(kept), selection, millisSince(start));
      ScanLog.explain(scan, selection);
      // In shadow mode ShadowCheck looks at the other slices when they are opened.
      return scan.mode() == SkippingMode.SHADOW ? listing : kept;
    }
  }

  private static boolean needsNoFile(TableScan scan) {
    try {
      if (FileSelector.needsNoFile(scan)) {
        scan.queryMode(); // a query of another state is refused all the same
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
