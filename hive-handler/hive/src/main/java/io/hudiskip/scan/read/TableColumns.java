// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.read;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.ql.io.parquet.serde.ArrayWritableObjectInspector;
import org.apache.hadoop.hive.ql.metadata.VirtualColumn;
import org.apache.hadoop.hive.serde.serdeConstants;
import org.apache.hadoop.hive.serde2.objectinspector.StructObjectInspector;
import org.apache.hadoop.hive.serde2.typeinfo.StructTypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfoFactory;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfoUtils;

/** The columns of the table that a job reads, as Hive passes them to a reader. */
public final class TableColumns {
  private TableColumns() {}

  /** The inspector for rows of {@link SliceRows} with whole structs, without virtual columns. */
  public static StructObjectInspector inspector(Configuration job) {
    List<String> names =
        new ArrayList<>(Arrays.asList(job.get(serdeConstants.LIST_COLUMNS, "").split(",", -1)));
    List<TypeInfo> types =
        TypeInfoUtils.getTypeInfosFromTypeString(job.get(serdeConstants.LIST_COLUMN_TYPES, ""));
    VirtualColumn.removeVirtualColumnTypes(names, types);
    VirtualColumn.removeVirtualColumns(names);
    return new ArrayWritableObjectInspector(
        (StructTypeInfo) TypeInfoFactory.getStructTypeInfo(names, types));
  }
}
