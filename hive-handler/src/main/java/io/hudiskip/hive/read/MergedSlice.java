/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.read;

import io.hudiskip.hive.merge.MergedRecords;
import io.hudiskip.hive.merge.RecordKeys;
import io.hudiskip.hive.merge.RecordRows;
import io.hudiskip.hive.mode.ReadState;
import io.hudiskip.hive.scan.SliceSplit;
import io.hudiskip.hive.scan.TableScan;
import io.hudiskip.hive.table.HudiTable;
import io.hudiskip.hive.table.UnreadableTableException;
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

/** The records of a file slice that Hudi has to put together, one by one, and the rows of them. */
final class MergedSlice implements Closeable {
  private final SliceSplit split;
  private final RecordRows rows;
  private final MergedRecords records;
  @Nullable private final Set<String> commits;

  /** Opens a split that is merged. */
  MergedSlice(SliceSplit split, JobConf job) throws IOException {
    this.split = split;
    ReadState state = split.state();
    commits = state.commits().orElse(null);
    try {
      HudiTable table = TableScan.reading(job, split).table();
      Schema schema = table.avroSchema();
      String also = // a query may read no column, and a record has to have one
          commits == null
              ? RecordKeys.of(table.metaClient().getTableConfig()).fields().get(0)
              : HoodieRecord.COMMIT_TIME_METADATA_FIELD;
      rows = RecordRows.of(job, schema, also, split.getPath());
      records =
          MergedRecords.open(
              table.metaClient(),
              schema,
              rows.schema(),
              split.slice(),
              state.instant(),
              Collections.singleton(also),
              job);
    } catch (UnreadableTableException e) {
      throw new IOException(e.getMessage()); // some causes Hive takes for an empty table
    } catch (RuntimeException e) {
      throw failed(e);
    }
  }

  private IOException failed(RuntimeException cause) {
    return new IOException(
        "the rows of " + split.getPath() + " and its logs cannot be merged: " + cause, cause);
  }

  /** The next record that is read, null after the last. */
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

  /** Puts a record into a row. */
  void fill(ArrayWritable row, IndexedRecord record) throws IOException {
    try {
      rows.fill(row, record);
    } catch (RuntimeException e) {
      throw failed(e);
    }
  }

  /** Number of columns of a row. */
  int width() {
    return rows.width();
  }

  @Override
  public void close() throws IOException {
    records.close();
  }
}
