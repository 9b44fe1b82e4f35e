/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.index.storage;

import io.hudiskip.index.files.Placement;
import java.util.List;
import javax.annotation.Nullable;

/**
 * The rows of one kind and column in all data files of an index, for the files of a listing. Serves
 * one query, in one thread.
 */
final class ListedColumn<T extends ColumnPart> {

  /** What one data file has. */
  static final class Source<T extends ColumnPart> {
    private final Placement placement;
    private final ColumnParts<T> parts;

    Source(Placement placement, ColumnParts<T> parts) {
      this.placement = placement;
      this.parts = parts;
    }
  }

  /** A row of a part. */
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

    /** Its number in the part. */
    int number() {
      return row;
    }

    /** Rows of the base file. */
    long fileRows() {
      return fileRows;
    }
  }

  private final List<Source<T>> sources;

  /**
   * @param sources in the order in which their rows replace each other; kept, not copied
   */
  ListedColumn(List<Source<T>> sources) {
    this.sources = sources;
  }

  /** The row that counts for a file of the listing; null if there is none. */
  @Nullable
  Row<T> row(int position) {
    for (int i = sources.size() - 1; i >= 0; i--) {
      Placement placement = sources.get(i).placement;
      if (placement.isPresent(position)) {
        int ordinal = placement.ordinal(position);
        T part = sources.get(i).parts.partOf(ordinal);
        int row = part == null ? -1 : part.row(ordinal);
        if (row >= 0) {
          // The last row wins, and if it is for a file of another size, none counts.
          return placement.isSameSize(position)
              ? new Row<>(part, row, placement.files().rows(ordinal))
              : null;
        }
      }
    }
    return null;
  }
}
