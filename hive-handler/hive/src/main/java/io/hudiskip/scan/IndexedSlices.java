// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan;

import io.hudiskip.index.BaseFile;
import io.hudiskip.table.Merging;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hudi.common.model.FileSlice;
import org.apache.hudi.common.model.HoodieBaseFile;

/**
 * The files of slices, for which the index may have statistics.
 *
 * <p>A slice is skipped only if all of its files are. That loses no row: where records are kept
 * whole ({@link Merging#keepsRecordsWhole}), each row of the slice is a record of its base file or
 * one of its logs, whether the merge finds it by position or by key, so a filter that is TRUE for a
 * row is TRUE for a record of a file, which the index keeps. (A log with partial updates has no
 * statistics and is kept, unless a bound of the whole slice, and so of each of its rows, excludes
 * it.)
 */
public final class IndexedSlices {
  private final List<FileSlice> all;
  private final List<BaseFile> files = new ArrayList<>();

  /** The slice of each file, as a position in {@link #all}. */
  private final List<Integer> positions = new ArrayList<>();

  /** Slices whose files do not determine their rows. */
  private final BitSet unknown = new BitSet();

  private IndexedSlices(List<FileSlice> all) {
    this.all = all;
  }

  /**
   * {@code areRecordsWhole} means that each row of a slice is a whole record of one of its files.
   */
  public static IndexedSlices of(List<FileSlice> all, boolean areRecordsWhole) {
    IndexedSlices indexed = new IndexedSlices(all);
    for (int i = 0; i < all.size(); i++) {
      indexed.add(i, all.get(i), areRecordsWhole);
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
    files.add(new BaseFile(path(slice, name), length));
    positions.add(position);
  }

  /** The path of a slice's file below the table root, with {@code /} separators. */
  public static String path(FileSlice slice, String name) {
    String partition = slice.getPartitionPath();
    return partition.isEmpty() ? name : partition + '/' + name;
  }

  /** The files; those of a slice are adjacent. */
  public List<BaseFile> files() {
    return Collections.unmodifiableList(files);
  }

  /** The slice of each of {@link #files}. */
  public List<FileSlice> slicesOfFiles() {
    return positions.stream().map(all::get).collect(Collectors.toList());
  }

  /** The slices that are kept, given the kept {@link #files}. */
  BitSet kept(BitSet keptFiles) {
    BitSet kept = (BitSet) unknown.clone();
    keptFiles.stream().map(positions::get).forEach(kept::set);
    return kept;
  }
}
