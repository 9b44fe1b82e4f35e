// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.index.storage;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import javax.annotation.Nullable;

/**
 * The rows of one kind and column of a data file that a query needs. Serves one query in one
 * thread.
 */
final class DataFileColumn {
  private final List<RowGroupColumn> parts = new ArrayList<>();
  private final int[] firstFiles;

  /** Files are usually requested in order, so the next one is in the same part. */
  private int last;

  DataFileColumn(List<RowGroupColumn> parts) {
    for (RowGroupColumn part : parts) {
      if (part.count() > 0) {
        this.parts.add(part);
      }
    }
    this.parts.sort(Comparator.comparingInt(RowGroupColumn::firstFile));
    firstFiles = this.parts.stream().mapToInt(RowGroupColumn::firstFile).toArray();
  }

  /** The part that may have a base file's row. */
  @Nullable
  RowGroupColumn partOf(int ordinal) {
    if (parts.isEmpty()) {
      return null;
    }
    while (last > 0 && firstFiles[last] > ordinal) {
      last--;
    }
    while (last < firstFiles.length - 1 && firstFiles[last + 1] <= ordinal) {
      last++;
    }
    return firstFiles[last] > ordinal ? null : parts.get(last);
  }
}
