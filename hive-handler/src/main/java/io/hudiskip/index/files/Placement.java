/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.index.files;

import java.util.BitSet;

/** Where {@link PlacedFiles} are in a {@link FileTable}. Immutable. */
public final class Placement {
  private static final int ABSENT = FileTable.ABSENT;

  private final FileTable files;

  /** For each position the ordinal of its file, or {@link #ABSENT}. */
  private final int[] ordinals;

  private final boolean[] isSameSize;

  /**
   * @param ordinals by position; kept, not copied
   * @param isSameSize by position; kept, not copied
   */
  Placement(FileTable files, int[] ordinals, boolean[] isSameSize) {
    this.files = files;
    this.ordinals = ordinals;
    this.isSameSize = isSameSize;
  }

  public FileTable files() {
    return files;
  }

  /** Whether the file table has a file of that path. */
  public boolean isPresent(int position) {
    return ordinals[position] != ABSENT;
  }

  /** Ordinal of a file that is present. */
  public int ordinal(int position) {
    return ordinals[position];
  }

  /** Whether the file is the one whose statistics were read, as far as its size tells. */
  public boolean isSameSize(int position) {
    return isSameSize[position];
  }

  /** The ordinals of some files, of any size. */
  public BitSet ordinals(BitSet positions) {
    BitSet found = new BitSet(files.count());
    for (int i = positions.nextSetBit(0); i >= 0; i = positions.nextSetBit(i + 1)) {
      if (isPresent(i)) {
        found.set(ordinals[i]);
      }
    }
    return found;
  }
}
