// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.savings.semijoin;

import io.hudiskip.hive.settings.SkippingMode;
import io.hudiskip.hive.settings.StatisticsSource;
import io.hudiskip.hive.settings.Switch;
import io.hudiskip.scan.IndexedSlices;
import io.hudiskip.scan.Saving;
import io.hudiskip.scan.ScanOperators;
import io.hudiskip.scan.TableScan;
import io.hudiskip.table.source.KeepAllFilesException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.io.Writable;
import org.apache.hudi.common.model.FileSlice;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lets readers learn from a semijoin which files need not be opened. */
public final class Semijoins implements Saving {
  private static final Logger LOG = LoggerFactory.getLogger(Semijoins.class);

  @Override
  public IdentityHashMap<FileSlice, Writable> told(TableScan scan, List<FileSlice> opened) {
    IdentityHashMap<FileSlice, Writable> told = new IdentityHashMap<>();
    if (opened.isEmpty()) {
      return told;
    }
    try {
      List<SemijoinFilter> semijoins = of(scan);
      if (semijoins.isEmpty()) {
        return told;
      }
      // A log may replace any row of its base file.
      IndexedSlices slices =
          IndexedSlices.of(
              opened.stream().filter(slice -> !slice.hasLogFiles()).collect(Collectors.toList()),
              true);
      List<FileSlice> slicesOfFiles = slices.slicesOfFiles();
      List<List<FileBounds>> found = FileBounds.read(scan.indexIfAny(), semijoins, slices.files());
      for (int i = 0; i < found.size(); i++) {
        if (!found.get(i).isEmpty()) {
          told.put(slicesOfFiles.get(i), new BoundsOfSplit(found.get(i)));
        }
      }
    } catch (
        Throwable e) { // no Error of a jar, a file system or a user's function may fail the query
      LOG.warn("Files of {} are opened without regard to semijoins", scan.root(), e);
    }
    return told;
  }

  /** The semijoins that every row of the scan must pass; none if their values must not be used. */
  public static List<SemijoinFilter> of(TableScan scan) {
    if (scan.settings().joins() != Switch.ON
        || scan.settings().index() == StatisticsSource.METADATA_TABLE // as for values of joins
        || scan.mode() == SkippingMode.OFF
        || scan.switchedOff().isPresent()
        || ScanOperators.isFetch(
            scan.job(), scan.root())) { // HiveServer2 reads, and there is no join
      return Collections.emptyList();
    }
    try {
      return SemijoinFilter.of(ScanOperators.only(scan.job(), scan.root()));
    } catch (KeepAllFilesException e) {
      LOG.debug("No semijoins for {}", scan.root(), e);
      return Collections.emptyList();
    }
  }
}
