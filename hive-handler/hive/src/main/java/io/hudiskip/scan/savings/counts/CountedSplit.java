// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.savings.counts;

import io.hudiskip.compile.term.StandInRow;
import io.hudiskip.scan.read.OwnRows;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.apache.hadoop.hive.ql.exec.vector.VectorizedRowBatch;
import org.apache.hadoop.io.ArrayWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.RecordReader;

/** Copies of one row, which are the rows of a split that is counted without opening a file. */
public final class CountedSplit implements OwnRows {
  private StandInRow row;
  private long count;

  /** Called through reflection, before {@link #readFields}. */
  public CountedSplit() {}

  CountedSplit(StandInRow row, long count) {
    this.row = row;
    this.count = count;
  }

  StandInRow row() {
    return row;
  }

  /** How many copies of {@link #row} there are. */
  public long count() {
    return count;
  }

  @Override
  public RecordReader<NullWritable, ArrayWritable> rows(JobConf job) {
    return new CountedRows(this, job);
  }

  @Override
  public RecordReader<NullWritable, VectorizedRowBatch> batches(JobConf job) throws IOException {
    return new CountedBatchReader(this, job);
  }

  @Override
  public void write(DataOutput out) throws IOException {
    row.write(out);
    out.writeLong(count);
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    row = StandInRow.read(in);
    count = in.readLong();
  }
}
