/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.read;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.conf.HiveConf;
import org.apache.hadoop.hive.serde2.ColumnProjectionUtils;
import org.apache.hadoop.hive.serde2.SerDeException;
import org.apache.hadoop.hive.serde2.objectinspector.StructObjectInspector;
import org.apache.hadoop.io.ArrayWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapred.FileSplit;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.RecordReader;
import org.apache.hadoop.mapred.Reporter;

/**
 * All rows of a split with some columns, whatever the query itself reads: no row group is left out,
 * and the columns are those that are asked for.
 */
public final class FilterColumnsReader implements Closeable {
  private final StructObjectInspector inspector;
  private final RecordReader<NullWritable, ArrayWritable> reader;
  private final ArrayWritable row;

  /**
   * Opens a split.
   *
   * @param job the configuration of the query's own reader; it is not changed
   * @param columns names of top-level columns
   */
  public FilterColumnsReader(FileSplit split, JobConf job, Set<String> columns)
      throws IOException, InterruptedException, SerDeException {
    JobConf own = new JobConf(job);
    TableColumns table = TableColumns.of(own);
    project(own, table.names(), columns);
    inspector = table.inspector(own);
    reader = SliceRows.open(split, own, Reporter.NULL);
    row = reader.createValue();
  }

  /** How the rows are to be read. */
  public StructObjectInspector inspector() {
    return inspector;
  }

  /** The next row, null after the last. It is good until the next call. */
  public Object next() throws IOException {
    return reader.next(null, row) ? row : null;
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }

  private static void project(Configuration own, List<String> names, Set<String> columns) {
    // From the plan Hive's reader would take the query's projection and filter.
    own.unset(HiveConf.ConfVars.PLAN.varname);
    RowGroupFilter.disable(own);
    List<Integer> wanted = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      if (columns.contains(names.get(i))) {
        wanted.add(i);
      }
    }
    own.unset(ColumnProjectionUtils.READ_NESTED_COLUMN_PATH_CONF_STR);
    own.unset(ColumnProjectionUtils.READ_COLUMN_NAMES_CONF_STR);
    ColumnProjectionUtils.setReadColumns(own, wanted);
  }
}
