/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive;

import java.io.IOException;
import org.apache.hadoop.hive.ql.exec.vector.VectorizedRowBatch;
import org.apache.hadoop.hive.ql.io.parquet.vector.VectorizedParquetRecordReader;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapred.InputSplit;
import org.apache.hadoop.mapred.JobConf;
import org.apache.parquet.filter2.compat.FilterCompat;
import org.apache.parquet.schema.MessageType;

/**
 * Hive's vectorised Parquet reader, with its row-group filter only where that is sound, and with
 * the values that only the path of the file has.
 */
final class VectorizedBaseFileReader extends VectorizedParquetRecordReader {
  private final PathValues pathValues;

  VectorizedBaseFileReader(InputSplit split, JobConf job) throws IOException {
    super(split, job);
    pathValues = PathValues.of(jobConf, filePath, parquetMetadata);
  }

  @Override
  public boolean next(NullWritable key, VectorizedRowBatch rows) throws IOException {
    boolean found = super.next(key, rows);
    if (found) {
      pathValues.fill(rows);
    }
    return found;
  }

  /**
   * Called by the constructor of the superclass, with the configuration into which Hive has pushed
   * the filter.
   */
  @Override
  public FilterCompat.Filter setFilter(JobConf conf, MessageType schema) {
    return RowGroupFilter.isSound(conf, filePath) ? super.setFilter(conf, schema) : null;
  }
}
