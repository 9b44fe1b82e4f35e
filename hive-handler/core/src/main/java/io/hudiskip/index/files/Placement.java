// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.index.files;

import java.util.BitSet;
import java.util.function.IntToLongFunction;

/** Maps {@link PlacedFiles} to ordinals of a {@link FileTable}. Immutable. */
public final class Placement {
  private static final int ABSENT = FileTable.ABSENT;

  private final FileTable files;

  /** By position: the file's ordinal, or {@link #ABSENT}. */
  private final int[] ordinals;

  private final boolean[] isSameSize;

  /** {@code ordinals} are kept, not copied; {@code sizes} has those of all present, by position. */
  Placement(FileTable files, int[] ordinals, IntToLongFunction sizes) {
    this.files = files;
    this.ordinals = ordinals;
    isSameSize = new boolean[ordinals.length];
    for (int i = 0; i < ordinals.length; i++) {
      isSameSize[i] = isPresent(i) && files.size(ordinals[i]) == sizes.applyAsLong(i);
    }
  }

  public FileTable files() {
    return files;
  }

  public boolean isPresent(int position) {
    return ordinals[position] != ABSENT;
  }

  /** Only for a file that is present. */
  public int ordinal(int position) {
    return ordinals[position];
  }

  /** Whether, judging by size, this is the file whose statistics were read. */
  public boolean isSameSize(int position) {
    return isSameSize[position];
  }

  /** The ordinals of the given files, whatever their sizes. */
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
