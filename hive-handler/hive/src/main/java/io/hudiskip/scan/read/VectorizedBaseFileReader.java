// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.read;

import io.hudiskip.scan.evolution.FileColumns;
import java.io.IOException;
import org.apache.hadoop.hive.ql.exec.vector.VectorizedRowBatch;
import org.apache.hadoop.hive.ql.io.parquet.vector.VectorizedParquetRecordReader;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapred.InputSplit;
import org.apache.hadoop.mapred.JobConf;
import org.apache.parquet.filter2.compat.FilterCompat;
import org.apache.parquet.hadoop.metadata.ParquetMetadata;
import org.apache.parquet.schema.MessageType;

/**
 * Hive's vectorised Parquet reader, corrected: a row-group filter only where it is sound, floats of
 * older files as {@link FileColumns} requires, and values that only the file's path has.
 */
public final class VectorizedBaseFileReader extends VectorizedParquetRecordReader {
  private final FileColumns columns;
  private final PathValues pathValues;

  /** {@code job} has a row-group filter only if the columns are plain. */
  public VectorizedBaseFileReader(
      InputSplit split, JobConf job, ParquetMetadata footer, FileColumns columns)
      throws IOException {
    super(split, job, null, null, null, footer);
    this.columns = columns;
    pathValues = PathValues.of(jobConf, fileSplit, parquetMetadata);
  }

  @Override
  public boolean next(NullWritable key, VectorizedRowBatch rows) throws IOException {
    boolean found = super.next(key, rows);
    if (found) {
      columns.widenFloats(rows);
      pathValues.fill(rows);
    }
    return found;
  }

  /** Called by the superclass's constructor with the configuration that has the pushed filter. */
  @Override
  public FilterCompat.Filter setFilter(JobConf conf, MessageType schema) {
    return RowGroupFilter.isSound(conf, fileSplit)
        ? super.setFilter(conf, RowGroupFilter.tested(schema, fileSplit))
        : null;
  }
}
