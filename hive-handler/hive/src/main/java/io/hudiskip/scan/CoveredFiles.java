// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan;

import io.hudiskip.table.TableTotals;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hudi.common.model.FileSlice;

/** The files of a scan that need not be opened, and splits that have their rows. Immutable. */
public final class CoveredFiles {
  public static final CoveredFiles NONE =
      new CoveredFiles(Collections.emptyList(), Collections.emptyList());

  private final List<FileSlice> slices;
  private final List<SliceSplit> splits;

  /** The length of each split is the number of its rows. */
  public CoveredFiles(List<FileSlice> slices, List<SliceSplit> splits) {
    this.slices = Collections.unmodifiableList(slices);
    this.splits = Collections.unmodifiableList(splits);
  }

  CoveredFiles plus(CoveredFiles other) {
    List<FileSlice> allSlices = new ArrayList<>(slices);
    allSlices.addAll(other.slices);
    List<SliceSplit> allSplits = new ArrayList<>(splits);
    allSplits.addAll(other.splits);
    return new CoveredFiles(allSlices, allSplits);
  }

  /** The slices that are opened. */
  List<FileSlice> othersOf(List<FileSlice> kept) {
    Set<FileSlice> covered = Collections.newSetFromMap(new IdentityHashMap<>());
    covered.addAll(slices);
    return kept.stream().filter(slice -> !covered.contains(slice)).collect(Collectors.toList());
  }

  TableTotals totals() {
    return TableTotals.of(slices);
  }

  /** The number of rows in the files. */
  long rows() {
    return splits.stream().mapToLong(SliceSplit::getLength).sum();
  }

  /** Splits that have the rows. */
  List<SliceSplit> splits() {
    return splits;
  }
}
