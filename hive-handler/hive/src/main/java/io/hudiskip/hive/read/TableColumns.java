// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.read;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe;
import org.apache.hadoop.hive.ql.metadata.VirtualColumn;
import org.apache.hadoop.hive.serde.serdeConstants;
import org.apache.hadoop.hive.serde2.SerDeException;
import org.apache.hadoop.hive.serde2.objectinspector.StructObjectInspector;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfoUtils;

/** The columns of the table that a job reads, as Hive passes them to a reader. Immutable. */
final class TableColumns {
  private final List<String> names;
  private final List<TypeInfo> types;

  private TableColumns(List<String> names, List<TypeInfo> types) {
    this.names = names;
    this.types = types;
  }

  static TableColumns of(Configuration job) {
    List<String> names =
        new ArrayList<>(Arrays.asList(job.get(serdeConstants.LIST_COLUMNS, "").split(",", -1)));
    List<TypeInfo> types =
        TypeInfoUtils.getTypeInfosFromTypeString(job.get(serdeConstants.LIST_COLUMN_TYPES, ""));
    VirtualColumn.removeVirtualColumnTypes(names, types);
    VirtualColumn.removeVirtualColumns(names);
    return new TableColumns(names, types);
  }

  List<String> names() {
    return names;
  }

  /** The inspector for rows of {@link RowBaseFileReader}. */
  StructObjectInspector inspector(Configuration job) throws SerDeException {
    String typeNames = types.stream().map(TypeInfo::getTypeName).collect(Collectors.joining(":"));
    Properties properties = new Properties();
    properties.setProperty(serdeConstants.LIST_COLUMNS, String.join(",", names));
    properties.setProperty(serdeConstants.LIST_COLUMN_TYPES, typeNames);
    ParquetHiveSerDe serDe = new ParquetHiveSerDe();
    serDe.initialize(job, properties, null);
    return (StructObjectInspector) serDe.getObjectInspector();
  }
}
