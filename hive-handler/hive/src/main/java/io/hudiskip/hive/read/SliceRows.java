// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.read;

import io.hudiskip.hive.scan.SliceSplit;
import java.io.IOException;
import org.apache.hadoop.io.ArrayWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapred.InputSplit;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.RecordReader;
import org.apache.hadoop.mapred.Reporter;

/** Reads the rows of a split: of an unchanged base file, or of a slice that is merged. */
public final class SliceRows {
  private SliceRows() {}

  public static RecordReader<NullWritable, ArrayWritable> open(
      InputSplit split, JobConf job, Reporter reporter) throws IOException, InterruptedException {
    return isMerged(split)
        ? new MergedRowReader((SliceSplit) split, job, reporter)
        : new RowBaseFileReader(split, job, reporter);
  }

  /** Whether a split's rows are more than those of a base file. */
  public static boolean isMerged(InputSplit split) {
    return split instanceof SliceSplit && ((SliceSplit) split).isMerged();
  }
}
