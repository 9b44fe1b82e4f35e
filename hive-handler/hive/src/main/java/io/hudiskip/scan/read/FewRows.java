// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.read;

import io.hudiskip.compile.expression.HudiExpression;
import io.hudiskip.scan.SliceSplit;
import io.hudiskip.scan.TableScan;
import io.hudiskip.scan.pages.MatchingRows;
import io.hudiskip.table.UnreadableTableException;
import io.hudiskip.table.source.KeepAllFilesException;
import java.io.IOException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.mapred.FileSplit;
import org.apache.hadoop.mapred.JobConf;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ParquetMetadata;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides whether so few rows of a base file may match that reading their pages row by row is
 * faster than reading all pages in batches.
 */
public final class FewRows {
  private static final Logger LOG = LoggerFactory.getLogger(FewRows.class);

  /** Smaller files have a page or two. */
  private static final long LEAST_ROWS = 100_000;

  /** Above the 3 to 5 rows that Hive's vectorized reader reads in the time of one by rows. */
  private static final long ROWS_PER_ROW = 8;

  private FewRows() {}

  /**
   * The rows to read, if they are few. Never throws: where it is uncertain, all rows are read.
   *
   * @param footer of the split's file, which has the table's types
   */
  public static Optional<MatchingRows> of(FileSplit split, JobConf job, ParquetMetadata footer) {
    long rows = footer.getBlocks().stream().mapToLong(BlockMetaData::getRowCount).sum();
    if (rows < LEAST_ROWS) {
      return Optional.empty();
    }
    try {
      TableScan scan = TableScan.reading(job, split);
      HudiExpression expression = scan.expressionOfParts();
      return MatchingRows.of(split, job, footer, expression, elsewhere(scan, split, expression))
          .filter(found -> found.matching() * ROWS_PER_ROW <= found.inRowGroups());
    } catch (KeepAllFilesException e) {
      LOG.debug("No page of {} is skipped: {}", split, e.getMessage());
    } catch (UnreadableTableException | IOException | RuntimeException | LinkageError e) {
      LOG.debug("No page of {} is skipped", split, e);
    }
    return Optional.empty();
  }

  /** The columns of an expression whose values readers take from the file's path. */
  private static Set<String> elsewhere(TableScan scan, FileSplit split, HudiExpression expression)
      throws UnreadableTableException {
    Set<String> columns = new HashSet<>();
    for (String column : expression.columns()) {
      if (scan.columnsOfPaths().contains(column)) {
        columns.add(column);
      }
    }
    if (split instanceof SliceSplit) {
      columns.addAll(((SliceSplit) split).pathValues().keySet());
    }
    return columns;
  }
}
