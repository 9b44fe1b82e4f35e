/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.scan;

import io.hudiskip.index.BaseFile;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import org.apache.hudi.common.model.FileSlice;
import org.apache.hudi.common.model.HoodieBaseFile;

/** The file slices of a listing of which the statistics index may know something. */
final class IndexedSlices {
  private final int size;
  private final List<BaseFile> files = new ArrayList<>();
  private final List<Integer> positions = new ArrayList<>();

  private IndexedSlices(int size) {
    this.size = size;
  }

  static IndexedSlices of(List<FileSlice> listing) {
    IndexedSlices indexed = new IndexedSlices(listing.size());
    for (int i = 0; i < listing.size(); i++) {
      FileSlice slice = listing.get(i);
      if (isBaseFileAlone(slice)) {
        indexed.files.add(baseFile(slice.getPartitionPath(), slice.getBaseFile().get()));
        indexed.positions.add(i);
      }
    }
    return indexed;
  }

  private static BaseFile baseFile(String partition, HoodieBaseFile file) {
    String path = partition.isEmpty() ? file.getFileName() : partition + '/' + file.getFileName();
    return new BaseFile(path, file.getFileSize());
  }

  /** Their base files, in the order of the listing. */
  List<BaseFile> files() {
    return Collections.unmodifiableList(files);
  }

  /**
   * Which slices of the listing are kept.
   *
   * @param candidates those of {@link #files} that are; all other slices are, because the
   *     statistics of a base file say nothing of rows that come from elsewhere
   */
  BitSet kept(BitSet candidates) {
    BitSet kept = new BitSet(size);
    kept.set(0, size);
    for (int i = 0; i < files.size(); i++) {
      kept.set(positions.get(i), candidates.get(i));
    }
    return kept;
  }

  private static boolean isBaseFileAlone(FileSlice slice) {
    return slice.getBaseFile().isPresent()
        && !slice.getBaseFile().get().getBootstrapBaseFile().isPresent()
        && !slice.hasLogFiles();
  }
}
