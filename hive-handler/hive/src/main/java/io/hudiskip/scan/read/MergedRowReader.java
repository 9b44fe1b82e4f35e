// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.read;

import io.hudiskip.scan.SliceSplit;
import io.hudiskip.scan.merge.MergedRecords;
import java.io.IOException;
import javax.annotation.Nullable;
import org.apache.avro.generic.IndexedRecord;
import org.apache.hadoop.io.ArrayWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.RecordReader;
import org.apache.hadoop.mapred.Reporter;

/**
 * Reads a slice that Hudi merges, row by row: unchanged rows from Hive's reader of the base file,
 * others from Hudi's records.
 */
final class MergedRowReader implements RecordReader<NullWritable, ArrayWritable> {
  private final MergedSlice slice;

  @Nullable private final RowBaseFileReader base;

  /** Rows read of the base file. */
  private long baseRows;

  private long position;
  private boolean isAtEnd;

  MergedRowReader(SliceSplit split, JobConf job, Reporter reporter)
      throws IOException, InterruptedException {
    slice = new MergedSlice(split, job);
    try {
      base =
          MergedSlice.hasBaseFile(split)
              ? new RowBaseFileReader(split.ofBaseFile(), RowGroupFilter.without(job), reporter)
              : null;
    } catch (IOException | InterruptedException | RuntimeException e) {
      slice.close();
      throw e;
    }
  }

  @Override
  public boolean next(NullWritable key, ArrayWritable row) throws IOException {
    IndexedRecord record = slice.next();
    if (record == null) {
      isAtEnd = true;
      return false;
    }
    long baseRow = MergedRecords.baseRow(record);
    if (baseRow < 0) {
      slice.fill(row, record);
    } else {
      readBase(row, baseRow);
    }
    position++;
    return true;
  }

  private void readBase(ArrayWritable row, long baseRow) throws IOException {
    for (; baseRows <= baseRow; baseRows++) {
      if (!base.next(NullWritable.get(), row)) {
        throw new IOException("the base file of the slice has fewer rows than records");
      }
    }
  }

  @Override
  public NullWritable createKey() {
    return NullWritable.get();
  }

  @Override
  public ArrayWritable createValue() {
    return new ArrayWritable(Writable.class, new Writable[slice.width()]);
  }

  @Override
  public long getPos() {
    return position;
  }

  @Override
  public float getProgress() {
    return isAtEnd ? 1 : 0;
  }

  @Override
  public void close() throws IOException {
    try {
      slice.close();
    } finally {
      if (base != null) {
        base.close();
      }
    }
  }
}
