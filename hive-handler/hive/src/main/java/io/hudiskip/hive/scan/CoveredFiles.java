// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.scan;

import io.hudiskip.encoding.HiveType;
import io.hudiskip.expression.ReadColumn;
import io.hudiskip.hive.counts.CountedFilter;
import io.hudiskip.hive.index.ColumnOfFiles;
import io.hudiskip.hive.source.KeepAllFilesException;
import io.hudiskip.hive.table.TableTotals;
import io.hudiskip.hive.table.UnreadableTableException;
import io.hudiskip.hive.term.HiveTermEvaluator;
import io.hudiskip.hive.term.MatchingRow;
import io.hudiskip.hive.wire.TypedFilter;
import io.hudiskip.index.BaseFile;
import io.hudiskip.index.IndexUnavailableException;
import io.hudiskip.index.StatisticsIndex;
import io.hudiskip.statistics.ColumnStatistics;
import io.hudiskip.statistics.StatisticsTable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hive.ql.plan.ExprNodeColumnDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeConstantDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeGenericFuncDesc;
import org.apache.hudi.common.model.FileSlice;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of a scan that need not be opened, because every row matches and the statement only
 * counts rows. Immutable.
 *
 * <p>Proof: the index excludes such a file for the {@link CountedFilter#complement}, so the filter
 * is TRUE for each of its rows. It is a base file that would be read as it is, so its rows are the
 * slice's; Hudi never changes a base file, nor uses its name twice, so the number that the index
 * has for that name and size is theirs. As many copies of one {@link MatchingRow} stand for them:
 * see {@link CountedFilter}.
 */
final class CoveredFiles {
  static final CoveredFiles NONE = new CoveredFiles(Collections.emptyList(), 0, null);

  private static final Logger LOG = LoggerFactory.getLogger(CoveredFiles.class);

  /** Rows that one task counts; it takes seconds, even row by row. */
  private static final long MOST_ROWS = 1 << 24;

  private final List<FileSlice> slices;
  private final long rows;

  /** Null if there are no slices. */
  private final MatchingRow row;

  private CoveredFiles(List<FileSlice> slices, long rows, MatchingRow row) {
    this.slices = Collections.unmodifiableList(slices);
    this.rows = rows;
    this.row = row;
  }

  /**
   * Chooses among the slices that a scan keeps. Never throws: what is not known to be covered is
   * opened.
   */
  static CoveredFiles of(TableScan scan, List<FileSlice> kept) {
    try {
      Optional<ExprNodeDesc> filter = scan.countedFilter();
      return filter.isPresent() ? of(scan, filter.get(), kept) : NONE;
    } catch (KeepAllFilesException | IndexUnavailableException | UnreadableTableException e) {
      LOG.debug("No rows of {} are counted without opening their files", scan.root(), e);
    } catch (
        Throwable e) { // no Error of a jar, a file system or a user's function may fail the query
      LOG.warn("Cannot count rows of {} without opening their files", scan.root(), e);
    }
    return NONE;
  }

  private static CoveredFiles of(TableScan scan, ExprNodeDesc filter, List<FileSlice> kept)
      throws KeepAllFilesException, IndexUnavailableException, UnreadableTableException {
    Optional<List<ReadColumn>> columns = columns(filter);
    if (!columns.isPresent()
        || scan.state().commits().isPresent()) { // an unknown number of each file's rows is read
      return NONE;
    }
    List<FileSlice> unchanged =
        kept.stream().filter(slice -> !slice.hasLogFiles()).collect(Collectors.toList());
    IndexedSlices indexed = IndexedSlices.of(unchanged, true); // without those of a bootstrap
    List<BaseFile> files = indexed.files();
    List<FileSlice> slices = indexed.slicesOfFiles();
    long[] rows = scan.index().rows(files);
    int[] covered =
        matching(scan, filter, scan.index(), files).stream()
            .filter(i -> rows[i] != StatisticsIndex.UNKNOWN_ROWS)
            .toArray();
    if (covered.length == 0) {
      return NONE;
    }
    Optional<MatchingRow> row = row(scan, filter, columns.get(), files.get(covered[0]));
    if (!row.isPresent()) {
      LOG.debug("No row is known that matches all of {}", filter);
      return NONE;
    }
    return new CoveredFiles(
        IntStream.of(covered).mapToObj(slices::get).collect(Collectors.toList()),
        IntStream.of(covered).mapToLong(i -> rows[i]).sum(),
        row.get());
  }

  /**
   * Positions of the files in which every row matches a filter; none unless the {@link
   * CountedFilter#complement} of exactly this filter was pushed.
   */
  static BitSet matching(
      TableScan scan, ExprNodeDesc filter, StatisticsIndex index, List<BaseFile> files)
      throws KeepAllFilesException, IndexUnavailableException {
    TypedFilter complement = TypedFilter.of(CountedFilter.complement(filter));
    Optional<PushedExpression> pushed =
        complement.isEmpty() // as of a filter with values known only at run time
            ? Optional.empty()
            : PushedExpression.of(scan.job()).flatMap(own -> own.complement(complement));
    BitSet matching = new BitSet();
    if (pushed.isPresent()) {
      matching.set(0, files.size());
      // A file that has no row of the complement has only rows for which the filter is TRUE.
      matching.andNot(
          index.keeps(
              CompiledFilter.decoded(pushed.get(), complement),
              files,
              StatisticsTable.ofNothing(files.size()),
              new HiveTermEvaluator(scan.job(), complement)));
    }
    return matching;
  }

  /** The columns that a filter reads; empty if one may be no plain column of the table. */
  private static Optional<List<ReadColumn>> columns(ExprNodeDesc filter) {
    Map<String, ReadColumn> columns = new LinkedHashMap<>();
    Deque<ExprNodeDesc> nodes = new ArrayDeque<>(Collections.singleton(filter));
    while (!nodes.isEmpty()) {
      ExprNodeDesc node = nodes.pop();
      if (node instanceof ExprNodeGenericFuncDesc) {
        node.getChildren().forEach(nodes::push);
      } else if (node instanceof ExprNodeColumnDesc) {
        String name = ((ExprNodeColumnDesc) node).getColumn().toLowerCase(Locale.ROOT);
        Optional<HiveType> type = HiveType.parse(node.getTypeString());
        if (!type.isPresent()
            || type.get().kind() == HiveType.Kind.UNENCODED
            || ((ExprNodeColumnDesc) node).getIsPartitionColOrVirtualCol()) {
          return Optional.empty();
        }
        columns.put(name, new ReadColumn(name, type.get()));
      } else if (!(node instanceof ExprNodeConstantDesc)) {
        return Optional.empty();
      }
    }
    return Optional.of(new ArrayList<>(columns.values()));
  }

  /** The least values of the columns in a file, if the filter is TRUE for them together. */
  private static Optional<MatchingRow> row(
      TableScan scan, ExprNodeDesc filter, List<ReadColumn> columns, BaseFile file)
      throws KeepAllFilesException, IndexUnavailableException {
    List<byte[]> values = new ArrayList<>();
    for (ReadColumn column : columns) {
      Optional<ColumnStatistics> known =
          ColumnOfFiles.read(scan.index(), column, Collections.singletonList(file)).get(0);
      if (!known.isPresent() || (known.get().lower() == null && !known.get().isAllNull())) {
        return Optional.empty();
      }
      values.add(known.get().lower());
    }
    return MatchingRow.of(filter, columns, values, scan.job());
  }

  /** The slices that are opened. */
  List<FileSlice> othersOf(List<FileSlice> kept) {
    Set<FileSlice> covered = Collections.newSetFromMap(new IdentityHashMap<>());
    covered.addAll(slices);
    return kept.stream().filter(slice -> !covered.contains(slice)).collect(Collectors.toList());
  }

  TableTotals totals() {
    return TableTotals.of(slices);
  }

  /** The number of rows in the files. */
  long rows() {
    return rows;
  }

  /** Splits that have the rows. */
  List<SliceSplit> splits(Path root) {
    List<SliceSplit> splits = new ArrayList<>();
    for (long left = rows; left > 0; left -= MOST_ROWS) {
      FileSlice shown = slices.get(0); // Hive needs a path to find the scan
      splits.add(new SliceSplit(root, shown, row, Math.min(left, MOST_ROWS)));
    }
    return splits;
  }
}
