// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.pages;

import io.hudiskip.compile.expression.HudiExpression;
import io.hudiskip.compile.statistics.ColumnStatistics;
import io.hudiskip.compile.statistics.StatisticsTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.FileSplit;
import org.apache.parquet.SemanticVersion;
import org.apache.parquet.VersionParser;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.FileMetaData;
import org.apache.parquet.hadoop.metadata.ParquetMetadata;
import org.apache.parquet.internal.column.columnindex.OffsetIndexBuilder;
import org.apache.parquet.internal.filter2.columnindex.RowRanges;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;

/** The rows of a split of a base file that may match an expression, by its pages. Immutable. */
public final class MatchingRows {
  private static final String WRITER = "parquet-mr";

  /** The first with column indexes. Its order of strings and its NaNs are right (PARQUET-1025). */
  private static final SemanticVersion SINCE = new SemanticVersion(1, 11, 0);

  private final ParquetMetadata footer;
  private final List<BlockMetaData> rowGroups;
  private final List<RowRanges> ranges;
  private final long all;
  private final long matching;

  private MatchingRows(
      ParquetMetadata footer, List<BlockMetaData> rowGroups, List<RowRanges> ranges) {
    this.footer = footer;
    this.rowGroups = Collections.unmodifiableList(rowGroups);
    this.ranges = Collections.unmodifiableList(ranges);
    this.all = rowGroups.stream().mapToLong(BlockMetaData::getRowCount).sum();
    this.matching = ranges.stream().mapToLong(RowRanges::rowCount).sum();
  }

  /** The row groups that Hive's readers read for a split ({@code ParquetRecordReaderBase}). */
  static List<BlockMetaData> rowGroups(ParquetMetadata footer, FileSplit split) {
    List<BlockMetaData> found = new ArrayList<>();
    for (BlockMetaData group : footer.getBlocks()) {
      long first = group.getColumns().get(0).getFirstDataPageOffset();
      if (first >= split.getStart() && first < split.getStart() + split.getLength()) {
        found.add(group);
      }
    }
    return found;
  }

  /**
   * Evaluates an expression on the pages of a split.
   *
   * @param footer of the split's file
   * @param elsewhere lower-case names of the columns whose values are not those of the file
   * @return empty if nothing can be skipped: of an untrusted writer, without page indexes, or by
   *     columns that the file has no bounds of
   */
  public static Optional<MatchingRows> of(
      FileSplit split,
      Configuration job,
      ParquetMetadata footer,
      HudiExpression expression,
      Set<String> elsewhere)
      throws IOException {
    List<BlockMetaData> groups = rowGroups(footer, split);
    FileMetaData file = footer.getFileMetaData();
    if (!isTrusted(file.getCreatedBy()) || !groups.stream().allMatch(MatchingRows::isReadByPages)) {
      return Optional.empty();
    }
    Map<String, StoredBounds> columns = columns(file.getSchema(), expression, elsewhere);
    if (columns.isEmpty()) {
      return Optional.empty();
    }
    List<RowRanges> ranges = new ArrayList<>();
    try (ParquetFileReader reader =
        new ParquetFileReader(job, file, split.getPath(), groups, file.getSchema().getColumns())) {
      for (BlockMetaData group : groups) {
        ranges.add(new RowGroup(reader, group, columns).matching(expression));
      }
    }
    return Optional.of(new MatchingRows(footer, groups, ranges));
  }

  private static boolean isTrusted(String createdBy) {
    try {
      VersionParser.ParsedVersion writer = VersionParser.parse(createdBy);
      return writer.application.equals(WRITER)
          && writer.hasSemanticVersion()
          && writer.getSemanticVersion().compareTo(SINCE) >= 0;
    } catch (VersionParser.VersionParseException | RuntimeException e) {
      return false; // of an unknown writer
    }
  }

  private static boolean isReadByPages(BlockMetaData group) {
    return group.getRowCount() > 0
        && group.getColumns().stream().allMatch(chunk -> chunk.getOffsetIndexReference() != null);
  }

  /** The columns of an expression that a file has bounds of. */
  private static Map<String, StoredBounds> columns(
      MessageType schema, HudiExpression expression, Set<String> elsewhere) {
    Map<String, StoredBounds> columns = new HashMap<>();
    Set<String> names = new HashSet<>();
    for (Type field : schema.getFields()) {
      String name = field.getName().toLowerCase(Locale.ROOT);
      if (!names.add(name)) { // of two, readers may take either
        columns.remove(name);
      } else if (isField(name)
          && expression.columns().contains(name)
          && !elsewhere.contains(name)) {
        StoredBounds.of(field).ifPresent(stored -> columns.put(name, stored));
      }
    }
    return columns;
  }

  /** A dot in an expression's column leads into a struct. */
  private static boolean isField(String name) {
    return name.indexOf('.') < 0;
  }

  /** Rows of the row groups that are read, in which other readers would read all. */
  public long inRowGroups() {
    return IntStream.range(0, ranges.size())
        .filter(i -> ranges.get(i).rowCount() > 0)
        .mapToLong(i -> rowGroups.get(i).getRowCount())
        .sum();
  }

  /** Rows of the split that may match. */
  public long matching() {
    return matching;
  }

  /** Rows of the split that are not read. */
  public long skipped() {
    return all - matching;
  }

  ParquetMetadata footer() {
    return footer;
  }

  List<BlockMetaData> rowGroups() {
    return rowGroups;
  }

  RowRanges ofRowGroup(int position) {
    return ranges.get(position);
  }

  /** One row group, cut where a page of some column ends, so that each piece is in one of each. */
  private static final class RowGroup {
    private final long rows;
    private final long[] firstRows;
    private final Map<String, ColumnStatistics[]> statistics = new HashMap<>();

    RowGroup(ParquetFileReader reader, BlockMetaData group, Map<String, StoredBounds> columns)
        throws IOException {
      rows = group.getRowCount();
      Map<String, ColumnPages> pages = new HashMap<>();
      Set<Long> cuts = new TreeSet<>(Collections.singleton(0L));
      for (ColumnChunkMetaData chunk : group.getColumns()) {
        String name = chunk.getPath().toDotString().toLowerCase(Locale.ROOT);
        if (chunk.getPath().size() == 1 && columns.containsKey(name)) {
          ColumnPages.read(reader, chunk, columns.get(name), rows)
              .ifPresent(known -> pages.put(name, known));
        }
      }
      pages.values().forEach(known -> Arrays.stream(known.firstRows()).forEach(cuts::add));
      firstRows = cuts.stream().mapToLong(Long::longValue).toArray();
      pages.forEach(
          (name, known) -> {
            ColumnStatistics[] pieces = new ColumnStatistics[firstRows.length];
            Arrays.setAll(
                pieces, i -> known.of(firstRows[i], end(i) - firstRows[i], columns.get(name)));
            statistics.put(name, pieces);
          });
    }

    private long end(int piece) {
      return piece + 1 < firstRows.length ? firstRows[piece + 1] : rows;
    }

    /**
     * The pieces that may have a row for which the filter is TRUE.
     *
     * <p>Proof: as for files; what a leaf is told of a piece holds for each of its rows.
     */
    RowRanges matching(HudiExpression expression) {
      BitSet kept = expression.evaluate(StatisticsTable.of(firstRows.length, statistics));
      OffsetIndexBuilder pieces = OffsetIndexBuilder.getBuilder();
      for (int i = 0; i < firstRows.length; i++) {
        pieces.add(i, 1, firstRows[i]); // Parquet makes ranges of rows from pages alone
      }
      return RowRanges.create(rows, kept.stream().iterator(), pieces.build());
    }
  }
}
