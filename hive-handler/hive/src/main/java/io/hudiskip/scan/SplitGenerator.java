// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan;

import io.hudiskip.hive.metrics.JobCounters;
import io.hudiskip.hive.settings.SkippingMode;
import io.hudiskip.scan.evolution.TimestampUnits;
import io.hudiskip.table.PartitionValues;
import io.hudiskip.table.TableErrors;
import io.hudiskip.table.TableTotals;
import io.hudiskip.table.source.Candidates;
import io.hudiskip.table.source.IndexLag;
import io.hudiskip.table.source.KeepAllFilesException;
import io.hudiskip.table.state.ReadCommits;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
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
 * Lists the files that queries read of Hudi tables, without those that the scan's filter cannot
 * match, and splits them.
 *
 * <p>Stateless: Hive has one input format object for all queries and threads of a JVM, configured
 * once for the first of them. Everything comes from each call's {@code JobConf}.
 */
public final class SplitGenerator extends HoodieCopyOnWriteTableInputFormat {
  private static final Logger LOG = LoggerFactory.getLogger(SplitGenerator.class);

  private final List<Saving> savings;

  /** Savings that come first have the first choice. */
  public SplitGenerator(List<Saving> savings) {
    this.savings = Collections.unmodifiableList(savings);
  }

  @Override
  public FileStatus[] listStatus(JobConf job) throws IOException {
    return new OneCall(Collections.emptyList()).listStatus(job); // savings are for splits
  }

  @Override
  public InputSplit[] getSplits(JobConf job, int hint) throws IOException {
    return new OneCall(savings).getSplits(job, hint);
  }

  /** One call and its findings. */
  private static final class OneCall extends HoodieCopyOnWriteTableInputFormat {
    private TableTotals listed = TableTotals.NONE;
    private TableTotals notIndexed = TableTotals.NONE;
    private TableTotals covered = TableTotals.NONE;
    private final List<FileSlice> opened = new ArrayList<>();
    private final Map<Path, FileSlice> read = new HashMap<>();
    private final Map<Path, Path> roots = new HashMap<>();
    private final Map<Path, TimestampUnits> timestamps = new HashMap<>();
    private final Map<Path, PartitionValues> partitionValues = new HashMap<>();
    private final List<SliceSplit> others = new ArrayList<>();
    private final IdentityHashMap<FileSlice, Writable> told = new IdentityHashMap<>();
    private final List<Saving> savings;

    OneCall(List<Saving> savings) {
      this.savings = savings;
    }

    /** The base files that are read unchanged; other splits are of no list of files. */
    @Override
    public FileStatus[] listStatus(JobConf job) throws IOException {
      List<FileStatus> files = new ArrayList<>();
      for (Path root : getInputPaths(job)) {
        TableScan scan = TableScan.start(job, root);
        List<FileSlice> slices = select(scan);
        ReadCommits state = slices.isEmpty() ? null : TableErrors.raise(root, scan::state);
        if (!slices.isEmpty()) {
          timestamps.put(root, TableErrors.raise(root, scan::timestamps));
          partitionValues.put(root, TableErrors.raise(root, scan::partitionValues));
        }
        for (FileSlice slice : slices) {
          if (slice.hasLogFiles() || state.commits().isPresent()) {
            others.add(merged(scan, slice, state));
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
      List<SliceSplit> splits = new ArrayList<>();
      for (InputSplit split : super.getSplits(job, hint)) {
        FileSplit part = (FileSplit) split;
        splits.add(new SliceSplit(part, roots.get(part.getPath()), read.get(part.getPath())));
      }
      splits.addAll(others);
      boolean mayCount = JobCounters.mayCount(job);
      for (SliceSplit split : splits) {
        split.setMayCount(mayCount);
        if (timestamps.containsKey(split.table())) { // not where all rows are counted
          split.setTimestamps(timestamps.get(split.table()));
          split.setPathValues(
              partitionValues.get(split.table()).inPlaceOfStored(split.slice().getPartitionPath()));
        }
        split.tell(told.get(split.slice()));
      }
      if (!splits.isEmpty()) {
        splits.get(0).setTotals(listed, TableTotals.of(opened), covered, notIndexed);
      }
      return splits.toArray(new InputSplit[0]);
    }

    private static SliceSplit merged(TableScan scan, FileSlice slice, ReadCommits state)
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

    private List<FileSlice> select(TableScan scan) throws IOException {
      long start = System.nanoTime();
      if (needsNoFile(scan)) {
        TableTotals totals = TableTotals.indexed(scan.job(), scan.root()).orElse(TableTotals.NONE);
        ScanReport.notListed(scan, totals).publish(start);
        return Collections.emptyList();
      }
      Candidates candidates = scan.candidates();
      List<FileSlice> slices = candidates.slices();
      FileSelection selection = selection(scan, slices);
      List<FileSlice> selected = selection.of(slices);
      CoveredFiles known = cover(scan, selected);
      List<FileSlice> kept = known.othersOf(selected);
      Optional<IndexLag> lag = selection.reason().isPresent() ? Optional.empty() : scan.lag(slices);
      ScanReport.of(scan, candidates, kept, known, selection, lag).publish(start);
      listed = listed.plus(candidates.totals());
      opened.addAll(kept);
      notIndexed = notIndexed.plus(lag.map(IndexLag::notIndexed).orElse(TableTotals.NONE));
      savings.forEach(saving -> told.putAll(saving.told(scan, kept)));
      return scan.mode() == SkippingMode.SHADOW ? checked(scan, slices, selection) : kept;
    }

    /** All slices. When one that would be skipped is opened, ShadowCheck examines it. */
    private List<FileSlice> checked(
        TableScan scan, List<FileSlice> slices, FileSelection selection) {
      Optional<Text> filter = scan.joinedFilter().map(Text::new); // one for all: it may be long
      for (int i = 0; filter.isPresent() && i < slices.size(); i++) {
        if (!selection.keeps(i)) {
          told.put(slices.get(i), filter.get());
        }
      }
      return slices;
    }

    /** The files that need not be opened; in place of their rows, there are splits. */
    private CoveredFiles cover(TableScan scan, List<FileSlice> kept) {
      CoveredFiles known = CoveredFiles.NONE;
      for (Saving saving : savings) {
        known = known.plus(saving.covered(scan, known.othersOf(kept)));
      }
      others.addAll(known.splits());
      covered = covered.plus(known.totals());
      return known;
    }
  }

  /** Never throws: where the filter cannot be applied, all slices are selected. */
  private static FileSelection selection(TableScan scan, List<FileSlice> slices) {
    try {
      return FileSelector.select(scan, slices);
    } catch (KeepAllFilesException e) {
      LOG.debug("Skipping no file in {}", scan.root(), e);
      return FileSelection.all(slices.size(), e);
    } catch (
        Throwable e) { // no Error of a jar, a file system or a user's function may fail the query
      LOG.warn("Skipping failed in {}; all files are read", scan.root(), e);
      return FileSelection.all(
          slices.size(), new KeepAllFilesException("skipping failed: " + e, e));
    }
  }

  private static boolean needsNoFile(TableScan scan) {
    try {
      if (FileSelector.needsNoFile(scan)) {
        scan.queriedState(); // rejects states that cannot be read
        return true;
      }
    } catch (Throwable e) { // the table is then listed, which reports the problem
      LOG.debug("Cannot determine whether {} must be listed", scan.root(), e);
    }
    return false;
  }
}
