/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.index.storage;

import io.hudiskip.index.BaseFile;
import java.util.BitSet;
import java.util.List;

/** Where the files of a listing are in a {@link FileTable}. Immutable. */
final class Placement {
  private static final int ABSENT = FileTable.ABSENT;

  private final FileTable files;

  /** For each file of the listing its ordinal, or {@link #ABSENT}. */
  private final int[] ordinals;

  private final boolean[] isSameSize;

  Placement(FileTable files, List<BaseFile> listing) {
    this.files = files;
    ordinals = new int[listing.size()];
    isSameSize = new boolean[listing.size()];
    FileTable.Search search = files.search();
    for (int i = 0; i < ordinals.length; i++) {
      BaseFile file = listing.get(i);
      ordinals[i] = search.find(file.relativePath());
      isSameSize[i] = ordinals[i] != ABSENT && files.size(ordinals[i]) == file.size();
    }
  }

  FileTable files() {
    return files;
  }

  /** Whether the file table has a file of that path. */
  boolean isPresent(int position) {
    return ordinals[position] != ABSENT;
  }

  /** Ordinal of a file that is present. */
  int ordinal(int position) {
    return ordinals[position];
  }

  /** Whether the file is the one whose statistics were read, as far as its size tells. */
  boolean isSameSize(int position) {
    return isSameSize[position];
  }

  /** The ordinals of some files, of any size. */
  BitSet ordinals(BitSet positions) {
    BitSet found = new BitSet(files.count());
    for (int i = positions.nextSetBit(0); i >= 0; i = positions.nextSetBit(i + 1)) {
      if (isPresent(i)) {
        found.set(ordinals[i]);
      }
    }
    return found;
  }
}
