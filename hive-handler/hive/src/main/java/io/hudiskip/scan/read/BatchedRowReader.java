// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.read;

import io.hudiskip.scan.pages.MatchingRows;
import java.io.IOException;
import org.apache.hadoop.hive.ql.exec.vector.VectorizedRowBatch;
import org.apache.hadoop.io.ArrayWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapred.InputSplit;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.RecordReader;
import org.apache.hadoop.mapred.Reporter;

/**
 * Returns the rows of {@link SliceRows} in batches, for files that Hive's vectorised reader
 * misreads, slices whose base file Hudi also reads, and files of which few rows are read. Slower,
 * since each row is materialised.
 */
public final class BatchedRowReader extends RowBatchReader {
  private final RecordReader<NullWritable, ArrayWritable> rows;
  private final ArrayWritable row;

  public BatchedRowReader(InputSplit split, JobConf job, Reporter reporter)
      throws IOException, InterruptedException {
    super(job);
    rows = SliceRows.open(split, rowJob(), reporter);
    row = rows.createValue();
  }

  /** Reads only some rows of an unchanged base file. */
  public BatchedRowReader(MatchingRows matching, InputSplit split, JobConf job, Reporter reporter)
      throws IOException, InterruptedException {
    super(job);
    rows = new RowBaseFileReader(matching, split, rowJob(), reporter);
    row = rows.createValue();
  }

  @Override
  public boolean next(NullWritable key, VectorizedRowBatch batch) throws IOException {
    return fill(batch, row);
  }

  @Override
  protected boolean nextRow(ArrayWritable next) throws IOException {
    return rows.next(null, next);
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
