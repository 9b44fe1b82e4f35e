// SPDX-License-Identifier: Apache-2.0
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

/** The index's statistics of listed files. Serves one evaluation in one thread. */
final class ListingStatistics implements StatisticsTable {
  private final int[] positions;
  private final Map<String, ListedColumn<RangePart>> ranges;
  private final Map<IndexKind, Map<String, ListedColumn<ContentPart>>> contents;

  /** {@code positions} are places in the listing; {@code contents} are by kind and column. */
  ListingStatistics(
      int[] positions,
      Map<String, ListedColumn<RangePart>> ranges,
      Map<IndexKind, Map<String, ListedColumn<ContentPart>>> contents) {
    this.positions = positions;
    this.ranges = ranges;
    this.contents = contents;
  }

  int position(int file) {
    return positions[file];
  }

  /** These statistics, with {@code beside}, of the whole listing, where the index has none. */
  StatisticsTable supplemented(StatisticsTable beside) {
    return new Supplemented(this, beside, file -> positions[file]);
  }

  @Override
  public int fileCount() {
    return positions.length;
  }

  @Override
  public Optional<ColumnVector> column(String name) {
    ListedColumn<RangePart> rangeColumn = ranges.get(name);
    Map<IndexKind, ListedColumn<ContentPart>> contentColumns = new LinkedHashMap<>();
    contents.forEach(
        (kind, columns) -> {
          if (columns.containsKey(name)) {
            contentColumns.put(kind, columns.get(name));
          }
        });
    return rangeColumn == null && contentColumns.isEmpty()
        ? Optional.empty()
        : Optional.of(file -> statistics(positions[file], rangeColumn, contentColumns));
  }

  @Nullable
  private static ColumnStatistics statistics(
      int position,
      @Nullable ListedColumn<RangePart> ranges,
      Map<IndexKind, ListedColumn<ContentPart>> contents) {
    ColumnStatistics known = range(position, ranges);
    for (Map.Entry<IndexKind, ListedColumn<ContentPart>> column : contents.entrySet()) {
      ListedColumn.Row<ContentPart> row = column.getValue().row(position);
      Optional<Content> content =
          row == null
              ? Optional.empty()
              : Optional.ofNullable(row.part().content(row.number()))
                  .flatMap(column.getKey()::read);
      if (content.isPresent()) {
        Optional<HiveType> type = row.part().type(row.number());
        if (known == null) {
          known = contentsAlone(type);
        }
        // Ignores contents of values of another type than the bounds'.
        if (type.equals(known.type())) {
          known = known.with(column.getKey().name(), content.get());
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

  /** Records over several columns have no bounds or counts. */
  private static ColumnStatistics contentsAlone(Optional<HiveType> type) {
    long unknown = ColumnStatistics.UNKNOWN_COUNT;
    return new ColumnStatistics(type, null, null, unknown, unknown, unknown);
  }
}
