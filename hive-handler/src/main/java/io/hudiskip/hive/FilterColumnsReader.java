/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.conf.HiveConf;
import org.apache.hadoop.hive.ql.metadata.VirtualColumn;
import org.apache.hadoop.hive.serde.serdeConstants;
import org.apache.hadoop.hive.serde2.ColumnProjectionUtils;
import org.apache.hadoop.hive.serde2.SerDeException;
import org.apache.hadoop.hive.serde2.objectinspector.StructObjectInspector;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfoUtils;
import org.apache.hadoop.io.ArrayWritable;
import org.apache.hadoop.mapred.FileSplit;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.Reporter;

/**
 * All rows of a split with some columns, whatever the query itself reads: no row group is left out,
 * and the columns are those that are asked for.
 */
final class FilterColumnsReader implements Closeable {
  private final HudiSerDe serDe = new HudiSerDe();
  private final RowBaseFileReader reader;
  private final ArrayWritable row;

  /**
   * Opens a split.
   *
   * @param job the configuration of the query's own reader; it is not changed
   * @param columns names of top-level columns
   */
  FilterColumnsReader(FileSplit split, JobConf job, Set<String> columns)
      throws IOException, InterruptedException, SerDeException {
    JobConf own = new JobConf(job);
    List<String> names =
        new ArrayList<>(Arrays.asList(own.get(serdeConstants.LIST_COLUMNS, "").split(",", -1)));
    List<TypeInfo> types =
        TypeInfoUtils.getTypeInfosFromTypeString(own.get(serdeConstants.LIST_COLUMN_TYPES, ""));
    VirtualColumn.removeVirtualColumnTypes(names, types);
    VirtualColumn.removeVirtualColumns(names);
    project(own, names, columns);
    serDe.initialize(own, properties(names, types), null);
    reader = new RowBaseFileReader(split, own, Reporter.NULL);
    row = reader.createValue();
  }

  /** How the rows are to be read. */
  StructObjectInspector inspector() throws SerDeException {
    return (StructObjectInspector) serDe.getObjectInspector();
  }

  /** The next row, null after the last. It is good until the next call. */
  Object next() throws IOException, SerDeException {
    return reader.next(null, row) ? serDe.deserialize(row) : null;
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }

  private static void project(Configuration own, List<String> names, Set<String> columns) {
    // From the plan Hive's reader would take the query's projection and filter.
    own.unset(HiveConf.ConfVars.PLAN.varname);
    // Without it RowGroupFilter lets no row-group filter through.
    HiveConf.setBoolVar(own, HiveConf.ConfVars.HIVE_OPT_INDEX_FILTER, false);
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

  private static Properties properties(List<String> names, List<TypeInfo> types) {
    List<String> typeNames = new ArrayList<>();
    for (TypeInfo type : types) {
      typeNames.add(type.getTypeName());
    }
    Properties properties = new Properties();
    properties.setProperty(serdeConstants.LIST_COLUMNS, String.join(",", names));
    properties.setProperty(serdeConstants.LIST_COLUMN_TYPES, String.join(":", typeNames));
    return properties;
  }
}
