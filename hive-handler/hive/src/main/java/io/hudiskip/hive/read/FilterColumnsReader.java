// SPDX-License-Identifier: Apache-2.0
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
 * Reads all rows of a split with the requested columns, ignoring the query's projection and
 * row-group filter.
 */
public final class FilterColumnsReader implements Closeable {
  private final StructObjectInspector inspector;
  private final RecordReader<NullWritable, ArrayWritable> reader;
  private final ArrayWritable row;

  /**
   * Opens a split.
   *
   * @param job the configuration of the query's own reader; not changed
   */
  public FilterColumnsReader(FileSplit split, JobConf job, Set<String> columns)
      throws IOException, InterruptedException, SerDeException {
    JobConf own = RowGroupFilter.without(job);
    TableColumns table = TableColumns.of(own);
    project(own, table.names(), columns);
    inspector = table.inspector(own);
    reader = SliceRows.open(split, own, Reporter.NULL);
    row = reader.createValue();
  }

  public StructObjectInspector inspector() {
    return inspector;
  }

  /** The next row, null after the last. Valid until the next call. */
  public Object next() throws IOException {
    return reader.next(null, row) ? row : null;
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }

  private static void project(Configuration own, List<String> names, Set<String> columns) {
    // Hive's reader would take the query's projection from the plan.
    own.unset(HiveConf.ConfVars.PLAN.varname);
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
