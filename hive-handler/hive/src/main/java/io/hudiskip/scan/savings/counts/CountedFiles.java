// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.savings.counts;

import io.hudiskip.compile.expression.ReadColumn;
import io.hudiskip.compile.filter.Complement;
import io.hudiskip.compile.statistics.ColumnStatistics;
import io.hudiskip.compile.term.RowMatcher;
import io.hudiskip.compile.term.StandInRow;
import io.hudiskip.index.BaseFile;
import io.hudiskip.index.IndexUnavailableException;
import io.hudiskip.index.StatisticsIndex;
import io.hudiskip.index.columns.ColumnOfFiles;
import io.hudiskip.scan.CoveredFiles;
import io.hudiskip.scan.FileSelector;
import io.hudiskip.scan.IndexedSlices;
import io.hudiskip.scan.Saving;
import io.hudiskip.scan.ScanOperators;
import io.hudiskip.scan.SliceSplit;
import io.hudiskip.scan.TableScan;
import io.hudiskip.table.source.KeepAllFilesException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import javax.annotation.Nullable;
import org.apache.hudi.common.model.FileSlice;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of a scan that need not be opened, because copies of {@link StandInRow}s stand for
 * their rows. Stateless.
 *
 * <p>Proof: such a file is a base file that would be read as it is, so its rows are the slice's;
 * Hudi never changes a base file, nor uses its name twice, so the number that the index has for
 * that name and size is theirs. Either the row has the file's only value of each column that is
 * read. Or the index excludes the file for the {@link Complement} of the scan's filter, so that the
 * filter is TRUE for each of its rows; it is TRUE for the row that stands for them, too, which has
 * the file's only value of each column that is used behind the filter. {@link UsedColumns} proves
 * that such rows are enough.
 */
public final class CountedFiles implements Saving {
  private static final Logger LOG = LoggerFactory.getLogger(CountedFiles.class);

  /** The most rows that one task makes. Even row by row, that takes only seconds. */
  private static final long MOST_ROWS = 1 << 24;

  @Override
  public CoveredFiles covered(TableScan scan, List<FileSlice> kept) {
    try {
      Optional<UsedColumns> used = usedColumns(scan);
      return used.isPresent() ? of(scan, used.get(), kept) : CoveredFiles.NONE;
    } catch (KeepAllFilesException | IndexUnavailableException e) {
      LOG.debug("No rows of {} are known without opening their files", scan.root(), e);
    } catch (
        Throwable e) { // no Error of a jar, a file system or a user's function may fail the query
      LOG.warn("Cannot choose files of {} that need not be opened", scan.root(), e);
    }
    return CoveredFiles.NONE;
  }

  /**
   * What the statement uses of the scan's rows; empty if that may be more than their columns, or if
   * an unknown number of each file's rows is read.
   *
   * @throws KeepAllFilesException when the scan or its state is uncertain
   */
  private static Optional<UsedColumns> usedColumns(TableScan scan) throws KeepAllFilesException {
    return ScanOperators.ofPlan(scan, scan.settings().counts(), UsedColumns::of);
  }

  private static CoveredFiles of(TableScan scan, UsedColumns used, List<FileSlice> kept)
      throws KeepAllFilesException, IndexUnavailableException {
    List<FileSlice> unchanged =
        kept.stream().filter(slice -> !slice.hasLogFiles()).collect(Collectors.toList());
    IndexedSlices indexed = IndexedSlices.of(unchanged, true); // without those of a bootstrap
    List<BaseFile> files = indexed.files();
    List<FileSlice> slices = indexed.slicesOfFiles();
    long[] rows = scan.index().rows(files);
    BitSet left = new BitSet();
    for (int i = 0; i < rows.length; i++) {
      left.set(i, rows[i] != StatisticsIndex.UNKNOWN_ROWS); // so it has some
    }
    Map<StandInRow, List<Integer>> covered = new LinkedHashMap<>();
    if (used.filtered().isPresent()) {
      BitSet matching =
          FileSelector.matching(scan, used.filtered().get().filter(), scan.index(), files);
      matching.and(left);
      covered.putAll(matchingRows(scan, used.filtered().get(), files, matching));
      covered.values().forEach(positions -> positions.forEach(left::clear));
    }
    if (used.ofScan().isPresent()) {
      covered.putAll(onlyRows(scan.index(), used.ofScan().get(), files, left));
    }
    List<FileSlice> all = new ArrayList<>();
    List<SliceSplit> splits = new ArrayList<>();
    covered.forEach(
        (row, positions) -> {
          FileSlice shown = slices.get(positions.get(0)); // Hive needs a path to find the scan
          long total = positions.stream().mapToLong(i -> rows[i]).sum();
          for (long start = 0; start < total; start += MOST_ROWS) {
            long some = Math.min(total - start, MOST_ROWS);
            splits.add(new SliceSplit(scan.root(), shown, some, new CountedSplit(row, some)));
          }
          positions.stream().map(slices::get).forEach(all::add);
        });
    return new CoveredFiles(all, splits);
  }

  /**
   * For files in which every row matches, as positions in a list: rows that stand for theirs.
   *
   * @param matching bit {@code i} is set when every row of {@code files.get(i)} matches
   */
  private static Map<StandInRow, List<Integer>> matchingRows(
      TableScan scan, FilteredColumns filtered, List<BaseFile> files, BitSet matching)
      throws KeepAllFilesException, IndexUnavailableException {
    Map<List<ByteBuffer>, List<Integer>> groups =
        groups(scan.index(), filtered.behind(), files, matching);
    List<BaseFile> first =
        groups.values().stream()
            .map(positions -> files.get(positions.get(0)))
            .collect(Collectors.toList());
    List<Optional<List<byte[]>>> least = leastValues(scan.index(), filtered.all(), first);
    RowMatcher matcher = RowMatcher.of(filtered.filter(), filtered.all(), scan.job());
    Map<StandInRow, List<Integer>> rows = new LinkedHashMap<>();
    int group = 0;
    for (List<Integer> positions : groups.values()) {
      least.get(group++).flatMap(matcher::row).ifPresent(row -> rows.put(row, positions));
    }
    return rows;
  }

  /** For files whose rows are all equal as far as they are read: these rows. */
  private static Map<StandInRow, List<Integer>> onlyRows(
      StatisticsIndex index, List<ReadColumn> columns, List<BaseFile> files, BitSet among)
      throws IndexUnavailableException {
    Map<StandInRow, List<Integer>> rows = new LinkedHashMap<>();
    groups(index, columns, files, among)
        .forEach(
            (values, positions) -> {
              List<byte[]> encoded =
                  values.stream().map(CountedFiles::bytes).collect(Collectors.toList());
              StandInRow.of(columns, encoded).ifPresent(row -> rows.put(row, positions));
            });
    return rows;
  }

  private static Map<List<ByteBuffer>, List<Integer>> groups(
      StatisticsIndex index, List<ReadColumn> columns, List<BaseFile> files, BitSet among)
      throws IndexUnavailableException {
    int[] positions = among.stream().toArray();
    List<BaseFile> chosen = among.stream().mapToObj(files::get).collect(Collectors.toList());
    Map<List<ByteBuffer>, List<Integer>> groups = SingleValueFiles.group(index, columns, chosen);
    groups.values().forEach(group -> group.replaceAll(i -> positions[i]));
    return groups;
  }

  @Nullable
  private static byte[] bytes(@Nullable ByteBuffer value) {
    if (value == null) {
      return null;
    }
    byte[] bytes = new byte[value.remaining()];
    value.duplicate().get(bytes);
    return bytes;
  }

  /** The least value of each column in each file; empty where one is not known. */
  private static List<Optional<List<byte[]>>> leastValues(
      StatisticsIndex index, List<ReadColumn> columns, List<BaseFile> files)
      throws IndexUnavailableException {
    List<List<Optional<ColumnStatistics>>> known = new ArrayList<>();
    for (ReadColumn column : columns) {
      known.add(ColumnOfFiles.read(index, column, files));
    }
    List<Optional<List<byte[]>>> least = new ArrayList<>();
    for (int i = 0; i < files.size(); i++) {
      List<byte[]> values = new ArrayList<>();
      for (List<Optional<ColumnStatistics>> ofColumn : known) {
        ofColumn
            .get(i)
            .filter(bounds -> bounds.lower() != null || bounds.isAllNull())
            .ifPresent(bounds -> values.add(bounds.lower()));
      }
      least.add(values.size() == columns.size() ? Optional.of(values) : Optional.empty());
    }
    return least;
  }
}
