/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.index;

import java.util.BitSet;
import java.util.List;

/**
 * What an index says of files for one filter. It is worked out before the files of a table are
 * listed, and placed on a listing afterwards. Threads may share it.
 */
public interface FileVerdicts {
  /** Keeps every file. */
  FileVerdicts ALL =
      listing -> {
        BitSet all = new BitSet();
        all.set(0, listing.size());
        return all;
      };

  /**
   * The files that can hold rows for which the filter is TRUE.
   *
   * @param listing the files to choose from; of those that the index does not know, or knows with
   *     another size, nothing is known but the filter
   * @return bit {@code i} is set when {@code listing.get(i)} has to be read
   * @throws IndexUnavailableException when the index cannot be read or is damaged: all files have
   *     to be kept
   */
  BitSet keeps(List<BaseFile> listing) throws IndexUnavailableException;
}
