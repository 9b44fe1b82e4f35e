// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.savings.counts;

import io.hudiskip.scan.read.RowBatchReader;
import java.io.IOException;
import org.apache.hadoop.hive.ql.exec.vector.VectorizedRowBatch;
import org.apache.hadoop.io.ArrayWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapred.JobConf;

/** Returns {@link CountedRows} in batches whose columns repeat one value. */
final class CountedBatchReader extends RowBatchReader {
  private final CountedRows rows;
  private final ArrayWritable row;

  /** Whether the next row is the first of a batch, which stands for all. */
  private boolean isFirst;

  CountedBatchReader(CountedSplit split, JobConf job) throws IOException {
    super(job);
    rows = new CountedRows(split, rowJob());
    row = rows.createValue();
  }

  @Override
  public boolean next(NullWritable key, VectorizedRowBatch batch) throws IOException {
    isFirst = true;
    if (!fill(batch, row)) {
      return false;
    }
    for (int position : rows.positions()) {
      if (batch.cols[position] != null) { // Hive may compute the filter without it
        batch.cols[position].isRepeating = true;
      }
    }
    batch.size += rows.skip(VectorizedRowBatch.DEFAULT_SIZE - batch.size);
    return true;
  }

  @Override
  protected boolean nextRow(ArrayWritable next) {
    boolean found = isFirst && rows.next(NullWritable.get(), next);
    isFirst = false;
    return found;
  }

  @Override
  public long getPos() {
    return rows.getPos();
  }

  @Override
  public float getProgress() {
    return rows.getProgress();
  }

  @Override
  public void close() {}
}
