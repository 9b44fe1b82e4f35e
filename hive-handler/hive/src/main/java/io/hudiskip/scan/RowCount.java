// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan;

import io.hudiskip.hive.metrics.ScanMetrics;
import io.hudiskip.hive.settings.Impersonation;
import io.hudiskip.hive.settings.SkippingMode;
import io.hudiskip.hive.settings.Switch;
import io.hudiskip.index.IndexUnavailableException;
import io.hudiskip.index.StatisticsIndex;
import io.hudiskip.scan.savings.topk.AnyRows;
import io.hudiskip.table.TableErrors;
import io.hudiskip.table.source.Candidates;
import io.hudiskip.table.source.FileSources;
import io.hudiskip.table.state.AsOf;
import io.hudiskip.table.state.CountStatement;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.apache.commons.lang3.StringEscapeUtils;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hive.ql.exec.FetchOperator;
import org.apache.hadoop.hive.ql.metadata.Table;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hudi.common.model.FileSlice;
import org.apache.hudi.common.model.HoodieBaseFile;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.util.HadoopInputFile;
import org.apache.parquet.schema.MessageType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The number of rows in the latest state of a table, without reading any: the answer to {@code
 * SELECT count(*) FROM t}.
 *
 * <p>Why it is the one that a scan counts: the slices are those that a scan without a filter reads,
 * by the same listing, made for this statement. Without logs, a slice's rows are those of its base
 * file. Hudi never changes a base file, nor uses its name twice, so the number that the index has
 * for a file of that name and size is the number in its footer.
 */
public final class RowCount {
  private static final Logger LOG = LoggerFactory.getLogger(RowCount.class);

  /** Above this many files that the index does not know, a job reads them sooner. */
  private static final int MAX_FOOTERS = 8;

  private RowCount() {}

  /**
   * The number of rows that a session's statement asks for.
   *
   * @param statement its text
   * @param database the session's current one
   * @param jobProperties the settings of a job that would read the table
   * @return empty if the statement asks for something else, or only a scan can tell
   * @throws IOException when the table cannot be read; a scan reports it best
   */
  public static OptionalLong of(
      Configuration session,
      String statement,
      String database,
      Map<String, String> jobProperties,
      Table table)
      throws IOException {
    if (!CountStatement.counts(statement, database, table.getDbName(), table.getTableName())
        || !AsOf.isCurrent(table)
        || Impersonation.isActive()) {
      return OptionalLong.empty();
    }
    Configuration settled = new Configuration(session);
    jobProperties.forEach(settled::set);
    JobConf job = new JobConf(settled);
    Path root = table.getDataLocation();
    job.set(
        FetchOperator.FETCH_OPERATOR_DIRECTORY_LIST, StringEscapeUtils.escapeJava(root.toString()));
    return of(new TableScan(job, root));
  }

  /** The rows of a scan without a filter. */
  static OptionalLong of(TableScan scan) throws IOException {
    long start = System.nanoTime();
    if (scan.settings().counts() != Switch.ON || scan.mode() != SkippingMode.ON) {
      return OptionalLong.empty();
    }
    StatisticsIndex index = scan.indexIfAny(); // must not be newer than the table
    if (!TableErrors.raise(scan.root(), scan::isLatestSnapshot)) {
      return OptionalLong.empty();
    }
    Candidates candidates = FileSources.unfiltered(scan);
    Optional<List<HoodieBaseFile>> files = baseFiles(candidates.slices());
    if (!files.isPresent()) {
      LOG.debug("Not all rows of {} are in base files", scan.root());
      return OptionalLong.empty();
    }
    long[] known = known(candidates.slices(), index);
    int unknown = 0;
    for (long rows : known) {
      unknown += rows == StatisticsIndex.UNKNOWN_ROWS ? 1 : 0;
    }
    if (unknown > MAX_FOOTERS) {
      LOG.debug("The rows of {} files of {} are not known", unknown, scan.root());
      return OptionalLong.empty();
    }
    long total = 0;
    for (int i = 0; i < known.length; i++) {
      OptionalLong rows =
          known[i] == StatisticsIndex.UNKNOWN_ROWS
              ? inFooter(scan.job(), files.get().get(i))
              : OptionalLong.of(known[i]);
      if (!rows.isPresent()) {
        LOG.debug("The footer of {} contradicts itself", files.get().get(i).getPath());
        return OptionalLong.empty();
      }
      total += rows.getAsLong();
    }
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
    ScanReport.log(
        LogLine.about("count", scan)
            .add("files", candidates.slices().size())
            .add("rows", total)
            .add("footers", unknown)
            .add("listing", candidates.source())
            .add("ms", millis));
    SessionMessages.tell(
        scan.job(),
        "the rows of " + candidates.totals().files() + " files are counted without reading them");
    ScanMetrics.shared().counted();
    return OptionalLong.of(total);
  }

  /**
   * The most bytes of files that a scan without a filter opens until it has a number of rows; empty
   * if the index does not know the rows of each file. Never throws.
   */
  static OptionalLong bytesOfAny(long rows, TableScan scan) {
    Optional<List<FileSlice>> slices = scan.indexedSlices();
    if (!slices.isPresent() || !baseFiles(slices.get()).isPresent()) {
      return OptionalLong.empty();
    }
    try {
      long[] known = known(slices.get(), scan.indexIfAny());
      if (Arrays.stream(known).allMatch(count -> count != StatisticsIndex.UNKNOWN_ROWS)) {
        long[] bytes = slices.get().stream().mapToLong(FileSlice::getTotalFileSize).toArray();
        return OptionalLong.of(AnyRows.mostBytes(rows, known, bytes));
      }
    } catch (IOException | RuntimeException e) { // the query can be planned without
      LOG.debug("The rows of the files of {} are not known", scan.root(), e);
    }
    return OptionalLong.empty();
  }

  /** Empty if a row may be elsewhere. */
  private static Optional<List<HoodieBaseFile>> baseFiles(List<FileSlice> slices) {
    List<HoodieBaseFile> files = new ArrayList<>();
    for (FileSlice slice : slices) {
      if (slice.hasLogFiles()
          || !slice.getBaseFile().isPresent()
          || slice.getBaseFile().get().getBootstrapBaseFile().isPresent()) {
        return Optional.empty();
      }
      files.add(slice.getBaseFile().get());
    }
    return Optional.of(files);
  }

  /** The rows of each slice's base file, which is all that the slice has. */
  private static long[] known(List<FileSlice> slices, StatisticsIndex index) throws IOException {
    try {
      return index.rows(IndexedSlices.of(slices, true).files());
    } catch (IndexUnavailableException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /** The rows of a file; empty if its column chunks have other numbers of values. */
  private static OptionalLong inFooter(JobConf job, HoodieBaseFile file) throws IOException {
    try (ParquetFileReader footer =
        ParquetFileReader.open(HadoopInputFile.fromPath(new Path(file.getPath()), job))) {
      MessageType schema = footer.getFileMetaData().getSchema();
      for (BlockMetaData group : footer.getRowGroups()) {
        for (ColumnChunkMetaData chunk : group.getColumns()) {
          boolean isFlat = schema.getMaxRepetitionLevel(chunk.getPath().toArray()) == 0;
          if (isFlat && chunk.getValueCount() != group.getRowCount()) {
            return OptionalLong.empty();
          }
        }
      }
      return OptionalLong.of(footer.getRecordCount());
    }
  }
}
