// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.index.storage;

import io.hudiskip.index.files.Placement;
import java.util.List;
import javax.annotation.Nullable;

/**
 * The rows of one kind and column in all data files of an index, for listed files. Serves one query
 * in one thread.
 */
final class ListedColumn<T extends ColumnPart> {

  static final class Source<T extends ColumnPart> {
    private final Placement placement;
    private final ColumnParts<T> parts;

    Source(Placement placement, ColumnParts<T> parts) {
      this.placement = placement;
      this.parts = parts;
    }
  }

  static final class Row<T extends ColumnPart> {
    private final T part;
    private final int row;
    private final long fileRows;

    Row(T part, int row, long fileRows) {
      this.part = part;
      this.row = row;
      this.fileRows = fileRows;
    }

    T part() {
      return part;
    }

    /** Its index in the part. */
    int number() {
      return row;
    }

    long fileRows() {
      return fileRows;
    }
  }

  private final List<Source<T>> sources;

  /** {@code sources} are in replacement order; kept, not copied. */
  ListedColumn(List<Source<T>> sources) {
    this.sources = sources;
  }

  /** The effective row for a listed file; null if there is none. */
  @Nullable
  Row<T> row(int position) {
    for (int i = sources.size() - 1; i >= 0; i--) {
      Placement placement = sources.get(i).placement;
      if (placement.isPresent(position)) {
        int ordinal = placement.ordinal(position);
        T part = sources.get(i).parts.partOf(ordinal);
        int row = part == null ? -1 : part.row(ordinal);
        if (row >= 0) {
          // The last row wins; if it is for a file of another size, none is effective.
          return placement.isSameSize(position)
              ? new Row<>(part, row, placement.files().rows(ordinal))
              : null;
        }
      }
    }
    return null;
  }
}
