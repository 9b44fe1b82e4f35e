/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.index.storage;

import io.hudiskip.statistics.ColumnStatistics;
import io.hudiskip.statistics.ColumnVector;
import io.hudiskip.statistics.StatisticsTable;
import io.hudiskip.statistics.ValueBloomFilter;
import java.util.Map;
import java.util.Optional;
import javax.annotation.Nullable;

/** What the index knows of some files of a listing. Serves one evaluation, in one thread. */
final class ListingStatistics implements StatisticsTable {
  private final int[] positions;
  private final Map<String, ListedColumn<RangePart>> ranges;
  private final Map<String, ListedColumn<ContentPart>> valueSets;
  private final Map<String, ListedColumn<ContentPart>> bloomFilters;

  /**
   * @param positions of these files in the listing
   * @param ranges by column
   * @param valueSets by column, for those columns of which they are asked for
   * @param bloomFilters likewise
   */
  ListingStatistics(
      int[] positions,
      Map<String, ListedColumn<RangePart>> ranges,
      Map<String, ListedColumn<ContentPart>> valueSets,
      Map<String, ListedColumn<ContentPart>> bloomFilters) {
    this.positions = positions;
    this.ranges = ranges;
    this.valueSets = valueSets;
    this.bloomFilters = bloomFilters;
  }

  /** Position in the listing of a file. */
  int position(int file) {
    return positions[file];
  }

  @Override
  public int fileCount() {
    return positions.length;
  }

  @Override
  public Optional<ColumnVector> column(String name) {
    ListedColumn<RangePart> ofRanges = ranges.get(name);
    if (ofRanges == null) {
      return Optional.empty();
    }
    ListedColumn<ContentPart> ofSets = valueSets.get(name);
    ListedColumn<ContentPart> ofFilters = bloomFilters.get(name);
    return Optional.of(file -> range(positions[file], ofRanges, ofSets, ofFilters));
  }

  @Nullable
  private static ColumnStatistics range(
      int position,
      ListedColumn<RangePart> ranges,
      @Nullable ListedColumn<ContentPart> valueSets,
      @Nullable ListedColumn<ContentPart> bloomFilters) {
    ListedColumn.Row<RangePart> row = ranges.row(position);
    if (row == null) {
      return null;
    }
    ColumnStatistics range = row.part().range(row.number(), row.fileRows());
    if (valueSets != null) {
      range =
          content(valueSets, position, range)
              .flatMap(ValueSets::decode)
              .map(range::withValueSet)
              .orElse(range);
    }
    if (bloomFilters != null) {
      range =
          content(bloomFilters, position, range)
              .flatMap(ValueBloomFilter::of)
              .map(range::withBloomFilter)
              .orElse(range);
    }
    return range;
  }

  /** Nothing if it is of values of another type than the bounds are. */
  private static Optional<byte[]> content(
      ListedColumn<ContentPart> column, int position, ColumnStatistics range) {
    ListedColumn.Row<ContentPart> row = column.row(position);
    return row != null && row.part().type(row.number()).equals(range.type())
        ? Optional.ofNullable(row.part().content(row.number()))
        : Optional.empty();
  }
}
