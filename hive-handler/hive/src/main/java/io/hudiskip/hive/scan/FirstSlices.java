// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.scan;

import io.hudiskip.hive.source.KeepAllFilesException;
import io.hudiskip.hive.topk.FirstFiles;
import io.hudiskip.hive.topk.FirstRows;
import io.hudiskip.hive.topk.NeededRows;
import io.hudiskip.index.IndexState;
import io.hudiskip.index.IndexUnavailableException;
import io.hudiskip.index.StatisticsIndex;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;
import org.apache.hudi.common.model.FileSlice;

/** The file slices that may contain one of the only rows that a statement needs. Immutable. */
final class FirstSlices {
  private static final String SOURCE = "topk";

  private final BitSet kept;
  private final String rows;
  private final IndexState index;

  private FirstSlices(BitSet kept, String rows, IndexState index) {
    this.kept = kept;
    this.rows = rows;
    this.index = index;
  }

  /** Chooses from a listing. */
  static FirstSlices of(
      TableScan scan, StatisticsIndex index, List<FileSlice> listing, NeededRows needed)
      throws KeepAllFilesException, IndexUnavailableException {
    IndexedSlices slices = IndexedSlices.of(listing, scan.areRecordsWhole(listing));
    List<FileSlice> slicesOfFiles = slices.slicesOfFiles();
    BitSet whole = new BitSet();
    for (int i = 0; i < slicesOfFiles.size(); i++) {
      // A log may replace or delete any row of its base file.
      whole.set(i, !slicesOfFiles.get(i).hasLogFiles());
    }
    BitSet counted = (BitSet) whole.clone();
    if (needed.filter().isPresent()) {
      Optional<Complement> others = Complement.of(scan, needed.filter().get());
      counted.and(
          others.isPresent()
              ? others.get().coveredFiles(index, slices.files())
              : new BitSet());
    }
    BitSet kept = new BitSet();
    StringJoiner text = new StringJoiner("; ");
    for (FirstRows rows : needed.orders()) {
      FirstFiles files = FirstFiles.of(rows, index, slices.files(), whole, counted);
      kept.or(files.kept()); // a row that one order does not need, another may
      text.add(files.toString());
    }
    return new FirstSlices(slices.kept(kept), text.toString(), index.state());
  }

  /** The slices, of a scan without a filter. */
  FileSelection selection() {
    return new FileSelection(kept, SOURCE, index, rows, 0, null);
  }

  /** Those of the slices with a row that matches the scan's filter. */
  FileSelection among(FileSelection matching) {
    return matching.within(kept, SOURCE, rows);
  }
}
