/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.index;

import io.hudiskip.expression.ColumnVector;
import io.hudiskip.expression.FileStatistics;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What the index knows of the files of one listing. Serves one evaluation, in one thread. */
final class ListingStatistics implements FileStatistics {
  private final List<DataFile> listing;
  private final Map<String, ColumnStatistics> columns;

  /** Columns mostly share one list of files, and it is matched with the listing once. */
  private final IdentityHashMap<IndexedFiles, int[]> positions = new IdentityHashMap<>();

  private final Map<String, ColumnVector> vectors = new HashMap<>();

  ListingStatistics(List<DataFile> listing, Map<String, ColumnStatistics> columns) {
    this.listing = listing;
    this.columns = columns;
  }

  @Override
  public int fileCount() {
    return listing.size();
  }

  @Override
  public Optional<ColumnVector> column(String name) {
    ColumnStatistics column = columns.get(name);
    if (column == null) {
      return Optional.empty();
    }
    return Optional.of(vectors.computeIfAbsent(name, ignored -> aligned(column)));
  }

  private ColumnVector aligned(ColumnStatistics column) {
    int[] rows = positions.computeIfAbsent(column.files(), files -> files.positionsOf(listing));
    return column.ranges().select(rows);
  }
}
