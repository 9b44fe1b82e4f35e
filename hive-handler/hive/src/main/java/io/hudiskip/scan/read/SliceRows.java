// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.read;

import io.hudiskip.scan.SliceSplit;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.hive.conf.HiveConf;
import org.apache.hadoop.hive.serde2.ColumnProjectionUtils;
import org.apache.hadoop.hive.serde2.objectinspector.StructField;
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
    Optional<OwnRows> own = ownRows(split);
    if (own.isPresent()) {
      return own.get().rows(job);
    }
    return isMerged(split)
        ? new MergedRowReader((SliceSplit) split, job, reporter)
        : new RowBaseFileReader(split, job, reporter);
  }

  /**
   * Reads some columns of all rows, whatever the query reads and filters.
   *
   * @param job the configuration of the query's own reader; not changed
   */
  public static RecordReader<NullWritable, ArrayWritable> openAll(
      InputSplit split, JobConf job, Set<String> columns) throws IOException, InterruptedException {
    List<Integer> positions =
        TableColumns.inspector(job).getAllStructFieldRefs().stream()
            .filter(field -> columns.contains(field.getFieldName()))
            .map(StructField::getFieldID)
            .collect(Collectors.toList());
    JobConf own = RowGroupFilter.without(job);
    // Hive's reader would take the query's projection from the plan.
    own.unset(HiveConf.ConfVars.PLAN.varname);
    own.unset(ColumnProjectionUtils.READ_NESTED_COLUMN_PATH_CONF_STR);
    own.unset(ColumnProjectionUtils.READ_COLUMN_NAMES_CONF_STR);
    ColumnProjectionUtils.setReadColumns(own, positions);
    return open(split, own, Reporter.NULL);
  }

  /** What has a split's rows; empty if they are those of files. */
  public static Optional<OwnRows> ownRows(InputSplit split) {
    return split instanceof SliceSplit
        ? ((SliceSplit) split).saving(OwnRows.class)
        : Optional.empty();
  }

  /** Whether a split's rows are more than those of a base file. */
  public static boolean isMerged(InputSplit split) {
    return split instanceof SliceSplit && ((SliceSplit) split).isMerged();
  }
}
