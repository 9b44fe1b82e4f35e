/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.index.storage;

import io.hudiskip.encoding.HiveType;
import io.hudiskip.kind.IndexKind;
import io.hudiskip.statistics.ColumnStatistics;
import io.hudiskip.statistics.ColumnVector;
import io.hudiskip.statistics.Content;
import io.hudiskip.statistics.StatisticsTable;
import io.hudiskip.statistics.Supplemented;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import javax.annotation.Nullable;

/** What the index knows of some files of a listing. Serves one evaluation, in one thread. */
final class ListingStatistics implements StatisticsTable {
  private final int[] positions;
  private final Map<String, ListedColumn<RangePart>> ranges;
  private final Map<IndexKind, Map<String, ListedColumn<ContentPart>>> contents;

  /**
   * @param positions of these files in the listing
   * @param ranges by column
   * @param contents by kind and column, for those that are asked for
   */
  ListingStatistics(
      int[] positions,
      Map<String, ListedColumn<RangePart>> ranges,
      Map<IndexKind, Map<String, ListedColumn<ContentPart>>> contents) {
    this.positions = positions;
    this.ranges = ranges;
    this.contents = contents;
  }

  /** Position in the listing of a file. */
  int position(int file) {
    return positions[file];
  }

  /**
   * The same, and where the index has nothing, what else is known.
   *
   * @param beside of the whole listing
   */
  StatisticsTable supplemented(StatisticsTable beside) {
    return new Supplemented(this, beside, file -> positions[file]);
  }

  @Override
  public int fileCount() {
    return positions.length;
  }

  @Override
  public Optional<ColumnVector> column(String name) {
    ListedColumn<RangePart> ofRanges = ranges.get(name);
    Map<IndexKind, ListedColumn<ContentPart>> ofKinds = new LinkedHashMap<>();
    contents.forEach(
        (kind, columns) -> {
          if (columns.containsKey(name)) {
            ofKinds.put(kind, columns.get(name));
          }
        });
    return ofRanges == null && ofKinds.isEmpty()
        ? Optional.empty()
        : Optional.of(file -> statistics(positions[file], ofRanges, ofKinds));
  }

  @Nullable
  private static ColumnStatistics statistics(
      int position,
      @Nullable ListedColumn<RangePart> ranges,
      Map<IndexKind, ListedColumn<ContentPart>> contents) {
    ColumnStatistics known = range(position, ranges);
    for (Map.Entry<IndexKind, ListedColumn<ContentPart>> ofKind : contents.entrySet()) {
      ListedColumn.Row<ContentPart> row = ofKind.getValue().row(position);
      Optional<Content> content =
          row == null
              ? Optional.empty()
              : Optional.ofNullable(row.part().content(row.number()))
                  .flatMap(ofKind.getKey()::read);
      if (content.isPresent()) {
        Optional<HiveType> type = row.part().type(row.number());
        if (known == null) {
          known = contentsAlone(type);
        }
        // Nothing if it is of values of another type than the rest is.
        if (type.equals(known.type())) {
          known = known.with(ofKind.getKey().name(), content.get());
        }
      }
    }
    return known;
  }

  @Nullable
  private static ColumnStatistics range(int position, @Nullable ListedColumn<RangePart> ranges) {
    ListedColumn.Row<RangePart> row = ranges == null ? null : ranges.row(position);
    return row == null ? null : row.part().range(row.number(), row.fileRows());
  }

  /** As of several columns together, which have no bounds and no counts. */
  private static ColumnStatistics contentsAlone(Optional<HiveType> type) {
    long unknown = ColumnStatistics.UNKNOWN_COUNT;
    return new ColumnStatistics(type, null, null, unknown, unknown, unknown);
  }
}
