// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.read;

import java.io.IOException;
import org.apache.hadoop.hive.ql.exec.vector.VectorizedRowBatch;
import org.apache.hadoop.io.ArrayWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.RecordReader;

/** What a split carries that has its rows without a file. */
public interface OwnRows extends Writable {
  RecordReader<NullWritable, ArrayWritable> rows(JobConf job);

  /** The rows for a vectorised scan. */
  RecordReader<NullWritable, VectorizedRowBatch> batches(JobConf job) throws IOException;
}
