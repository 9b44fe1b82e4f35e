/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.scan;

import io.hudiskip.hive.table.Merging;
import io.hudiskip.index.BaseFile;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hudi.common.model.FileSlice;
import org.apache.hudi.common.model.HoodieBaseFile;

/**
 * The files of the slices of a listing, of which the statistics index may know something.
 *
 * <p>A slice is left out only if all of its files are. That loses no row: where records are kept
 * whole ({@link Merging#keepsRecordsWhole}), each row of the slice is a record of its base file or
 * of one of its logs, so that a filter that is TRUE for a row is TRUE for a record of a file, which
 * the index keeps. (A log with partial updates has no statistics, and so is kept, unless by what is
 * known of the slice as a whole, and so of each of its rows.)
 */
final class IndexedSlices {
  private final List<FileSlice> listing;
  private final List<BaseFile> files = new ArrayList<>();

  /** The slice of each file, by its position in the listing. */
  private final List<Integer> slices = new ArrayList<>();

  /** Slices of whose rows the files say nothing. */
  private final BitSet unknown = new BitSet();

  private IndexedSlices(List<FileSlice> listing) {
    this.listing = listing;
  }

  /**
   * The files of a listing.
   *
   * @param areRecordsWhole whether each row of a slice is a whole record of one of its files
   */
  static IndexedSlices of(List<FileSlice> listing, boolean areRecordsWhole) {
    IndexedSlices indexed = new IndexedSlices(listing);
    for (int i = 0; i < listing.size(); i++) {
      indexed.add(i, listing.get(i), areRecordsWhole);
    }
    return indexed;
  }

  private void add(int position, FileSlice slice, boolean areRecordsWhole) {
    boolean isBootstrap =
        slice.getBaseFile().isPresent()
            && slice.getBaseFile().get().getBootstrapBaseFile().isPresent();
    if (isBootstrap || slice.isEmpty() || (slice.hasLogFiles() && !areRecordsWhole)) {
      unknown.set(position);
      return;
    }
    if (slice.getBaseFile().isPresent()) {
      HoodieBaseFile base = slice.getBaseFile().get();
      add(position, slice, base.getFileName(), base.getFileSize());
    }
    slice.getLogFiles().forEach(log -> add(position, slice, log.getFileName(), log.getFileSize()));
  }

  private void add(int position, FileSlice slice, String name, long length) {
    String partition = slice.getPartitionPath();
    files.add(new BaseFile(partition.isEmpty() ? name : partition + '/' + name, length));
    slices.add(position);
  }

  /** The files, those of a slice one after the other. */
  List<BaseFile> files() {
    return Collections.unmodifiableList(files);
  }

  /** Of each of {@link #files} the slice. */
  List<FileSlice> slicesOfFiles() {
    return slices.stream().map(listing::get).collect(Collectors.toList());
  }

  /**
   * Which slices of the listing are kept.
   *
   * @param candidates those of {@link #files} that are
   */
  BitSet kept(BitSet candidates) {
    BitSet kept = new BitSet(listing.size());
    kept.or(unknown);
    for (int i = candidates.nextSetBit(0); i >= 0; i = candidates.nextSetBit(i + 1)) {
      kept.set(slices.get(i));
    }
    return kept;
  }
}
