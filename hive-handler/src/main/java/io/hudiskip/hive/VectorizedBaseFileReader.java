/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive;

import java.io.IOException;
import org.apache.hadoop.hive.ql.io.parquet.vector.VectorizedParquetRecordReader;
import org.apache.hadoop.mapred.InputSplit;
import org.apache.hadoop.mapred.JobConf;
import org.apache.parquet.filter2.compat.FilterCompat;
import org.apache.parquet.schema.MessageType;

/** Hive's vectorised Parquet reader, with its row-group filter only where that is sound. */
final class VectorizedBaseFileReader extends VectorizedParquetRecordReader {

  VectorizedBaseFileReader(InputSplit split, JobConf job) throws IOException {
    super(split, job);
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
