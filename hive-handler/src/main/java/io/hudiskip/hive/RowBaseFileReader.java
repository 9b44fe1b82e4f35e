/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive;

import java.io.IOException;
import org.apache.hadoop.hive.ql.io.parquet.read.DataWritableReadSupport;
import org.apache.hadoop.hive.ql.io.parquet.read.ParquetRecordReaderWrapper;
import org.apache.hadoop.io.ArrayWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapred.InputSplit;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.Reporter;
import org.apache.parquet.filter2.compat.FilterCompat;
import org.apache.parquet.hadoop.ParquetInputFormat;
import org.apache.parquet.schema.MessageType;

/**
 * Hive's row-by-row Parquet reader, with its row-group filter only where that is sound, and with
 * the values that only the path of the file has.
 */
final class RowBaseFileReader extends ParquetRecordReaderWrapper {
  private final PathValues pathValues;

  RowBaseFileReader(InputSplit split, JobConf job, Reporter reporter)
      throws IOException, InterruptedException {
    super(new ParquetInputFormat<>(DataWritableReadSupport.class), split, job, reporter);
    pathValues = PathValues.of(jobConf, filePath, parquetMetadata);
  }

  @Override
  public boolean next(NullWritable key, ArrayWritable row) throws IOException {
    boolean found = super.next(key, row);
    if (found) {
      pathValues.fill(row);
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
