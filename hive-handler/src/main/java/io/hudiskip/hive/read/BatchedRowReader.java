/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.read;

import java.io.IOException;
import org.apache.hadoop.hive.ql.exec.vector.VectorizedRowBatch;
import org.apache.hadoop.io.ArrayWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapred.InputSplit;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.RecordReader;
import org.apache.hadoop.mapred.Reporter;

/**
 * The rows of {@link SliceRows} in batches, for files that Hive's vectorised reader does not read
 * rightly, and for slices of which Hudi reads the base file as well. Slower than that one by the
 * making of each row.
 */
public final class BatchedRowReader implements RecordReader<NullWritable, VectorizedRowBatch> {
  private final RowAssignment assignment;
  private final RecordReader<NullWritable, ArrayWritable> rows;
  private final ArrayWritable row;

  /** Opens a split. */
  public BatchedRowReader(InputSplit split, JobConf job, Reporter reporter)
      throws IOException, InterruptedException {
    assignment = new RowAssignment(job);
    rows = SliceRows.open(split, assignment.job(), reporter);
    row = rows.createValue();
  }

  @Override
  public boolean next(NullWritable key, VectorizedRowBatch batch) throws IOException {
    RowAssignment.begin(batch);
    int size = 0;
    while (size < VectorizedRowBatch.DEFAULT_SIZE && rows.next(null, row)) {
      assignment.assign(batch, size++, row);
    }
    batch.size = size;
    return size > 0;
  }

  @Override
  public NullWritable createKey() {
    return NullWritable.get();
  }

  @Override
  public VectorizedRowBatch createValue() {
    return assignment.createBatch();
  }

  @Override
  public long getPos() throws IOException {
    return rows.getPos();
  }

  @Override
  public float getProgress() throws IOException {
    return rows.getProgress();
  }

  @Override
  public void close() throws IOException {
    rows.close();
  }
}
