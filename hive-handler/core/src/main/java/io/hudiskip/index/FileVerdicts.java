// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.index;

import java.util.BitSet;
import java.util.List;

/**
 * Which files an index keeps for one filter. Computed before a table's files are listed, then
 * applied to a listing. Thread-safe.
 */
public interface FileVerdicts {
  FileVerdicts ALL =
      listing -> {
        BitSet all = new BitSet();
        all.set(0, listing.size());
        return all;
      };

  /**
   * The files that may contain rows for which the filter is TRUE.
   *
   * @param listing the files to choose from; files unknown to the index, or known with another
   *     size, have no statistics
   * @return bit {@code i} is set when {@code listing.get(i)} must be read
   * @throws IndexUnavailableException when the index is unreadable or damaged; all files must be
   *     kept
   */
  BitSet keeps(List<BaseFile> listing) throws IndexUnavailableException;
}
