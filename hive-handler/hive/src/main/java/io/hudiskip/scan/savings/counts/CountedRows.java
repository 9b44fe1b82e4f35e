// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.savings.counts;

import io.hudiskip.compile.term.StandInRow;
import io.hudiskip.scan.read.TableColumns;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.hive.serde2.objectinspector.StructField;
import org.apache.hadoop.io.ArrayWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.RecordReader;

/** The rows of a split that is counted without opening a file: copies of one row. */
final class CountedRows implements RecordReader<NullWritable, ArrayWritable> {
  private final Writable[] values;
  private final int[] positions;
  private final long count;
  private long returned;

  CountedRows(CountedSplit split, JobConf job) {
    StandInRow row = split.row();
    List<String> columns =
        TableColumns.inspector(job).getAllStructFieldRefs().stream()
            .map(StructField::getFieldName)
            .collect(Collectors.toList());
    positions = row.names().stream().mapToInt(columns::indexOf).toArray();
    values = new Writable[columns.size()];
    for (int i = 0; i < positions.length; i++) {
      values[positions[i]] = row.writables().get(i);
    }
    count = split.count();
  }

  /** The positions of the columns that have a value. */
  int[] positions() {
    return positions.clone();
  }

  /** Skips up to a number of rows; returns how many there were. */
  int skip(int most) {
    int skipped = (int) Math.min(most, count - returned);
    returned += skipped;
    return skipped;
  }

  @Override
  public boolean next(NullWritable key, ArrayWritable row) {
    if (returned == count) {
      return false;
    }
    returned++;
    row.set(values.clone());
    return true;
  }

  @Override
  public NullWritable createKey() {
    return NullWritable.get();
  }

  @Override
  public ArrayWritable createValue() {
    return new ArrayWritable(Writable.class, Arrays.copyOf(values, values.length));
  }

  @Override
  public long getPos() {
    return returned;
  }

  @Override
  public float getProgress() {
    return count == 0 ? 1 : (float) returned / count;
  }

  @Override
  public void close() {}
}
