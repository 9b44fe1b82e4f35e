// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.index.storage;

import io.hudiskip.compile.statistics.ColumnStatistics;
import io.hudiskip.index.files.Placement;
import java.util.ArrayList;
import java.util.List;
import javax.annotation.Nullable;

/**
 * The rows of one kind and column in all data files of an index, for listed files. Serves one query
 * in one thread.
 */
final class IndexColumn {
  private final List<Placement> placements = new ArrayList<>();
  private final List<DataFileColumn> parts = new ArrayList<>();

  /** Adds the rows of a data file, which replace those of the data files before it. */
  void add(Placement placement, DataFileColumn partsOfFile) {
    placements.add(placement);
    parts.add(partsOfFile);
  }

  boolean isEmpty() {
    return parts.isEmpty();
  }

  /** Adds what the effective row says of a listed file to what is {@code known}, maybe null. */
  @Nullable
  ColumnStatistics addTo(@Nullable ColumnStatistics known, int position) {
    for (int i = parts.size() - 1; i >= 0; i--) {
      Placement placement = placements.get(i);
      if (placement.isPresent(position)) {
        int ordinal = placement.ordinal(position);
        RowGroupColumn part = parts.get(i).partOf(ordinal);
        int row = part == null ? -1 : part.row(ordinal);
        if (row >= 0) {
          // The last row wins; if it is for a file of another size, none is effective.
          return placement.isSameSize(position)
              ? part.addTo(known, row, placement.files().rows(ordinal))
              : known;
        }
      }
    }
    return known;
  }
}
