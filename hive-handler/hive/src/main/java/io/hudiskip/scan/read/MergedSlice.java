// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.read;

import io.hudiskip.scan.SliceSplit;
import io.hudiskip.scan.TableScan;
import io.hudiskip.scan.evolution.FileColumns;
import io.hudiskip.scan.merge.MergedRecords;
import io.hudiskip.scan.merge.RecordRows;
import io.hudiskip.table.HudiTable;
import io.hudiskip.table.RecordKeys;
import io.hudiskip.table.UnreadableTableException;
import io.hudiskip.table.failure.ReadFailedException;
import io.hudiskip.table.state.ReadCommits;
import java.io.Closeable;
import java.io.IOException;
import java.util.Collections;
import java.util.Set;
import javax.annotation.Nullable;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;
import org.apache.hadoop.io.ArrayWritable;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hudi.common.model.HoodieRecord;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.schema.MessageType;

/** The records of a slice that Hudi merges, and their rows. */
final class MergedSlice implements Closeable {
  private final SliceSplit split;
  private final RecordRows rows;
  private final MergedRecords records;
  private final PathValues pathValues;
  @Nullable private final Set<String> commits;

  MergedSlice(SliceSplit split, JobConf job) throws IOException {
    this.split = split;
    pathValues = PathValues.ofSplit(job, split);
    ReadCommits state = split.state();
    commits = state.commits().orElse(null);
    try {
      HudiTable table = TableScan.reading(job, split).table();
      Schema schema = table.avroSchema();
      String extra = // a query may read no column, but a record needs one
          commits == null
              ? RecordKeys.of(table.metaClient().getTableConfig()).fields().get(0)
              : HoodieRecord.COMMIT_TIME_METADATA_FIELD;
      requireUnitOfTable(split, job);
      rows = RecordRows.of(job, schema, extra, split.getPath());
      records =
          MergedRecords.open(
              table.metaClient(),
              schema,
              rows.schema(),
              split.slice(),
              state.instant(),
              Collections.singleton(extra),
              job);
    } catch (UnreadableTableException e) {
      throw new ReadFailedException(e.getMessage());
    } catch (RuntimeException e) {
      throw failed(e);
    }
  }

  /** A row's number must not depend on whether it is from the base file or a log. */
  private static void requireUnitOfTable(SliceSplit split, JobConf job) throws IOException {
    if (split.timestamps().haveNumbers() && hasBaseFile(split)) {
      MessageType file =
          ParquetFileReader.readFooter(job, split.getPath()).getFileMetaData().getSchema();
      MessageType read = split.timestamps().merged().repaired(file);
      FileColumns.of(job, split.getPath(), read).requireReadable(job);
    }
  }

  private IOException failed(RuntimeException cause) {
    return new IOException(
        "cannot merge the rows of " + split.getPath() + " and its logs: " + cause, cause);
  }

  /** Whether a merged split's slice has a base file, which Hive's readers read too. */
  static boolean hasBaseFile(SliceSplit split) {
    return split.slice().getBaseFile().isPresent();
  }

  /** The next record, null after the last. */
  @Nullable
  IndexedRecord next() throws IOException {
    try {
      for (IndexedRecord record = records.next(); record != null; record = records.next()) {
        if (commits == null
            || commits.contains(RecordRows.text(record, HoodieRecord.COMMIT_TIME_METADATA_FIELD))) {
          return record;
        }
      }
      return null;
    } catch (RuntimeException e) {
      throw failed(e);
    }
  }

  void fill(ArrayWritable row, IndexedRecord record) throws IOException {
    try {
      rows.fill(row, record);
      pathValues.fill(row);
    } catch (RuntimeException e) {
      throw failed(e);
    }
  }

  int width() {
    return rows.width();
  }

  @Override
  public void close() throws IOException {
    records.close();
  }
}
