// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.evolution;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.ql.io.parquet.read.DataWritableReadSupport;
import org.apache.hadoop.hive.serde.serdeConstants;
import org.apache.hadoop.hive.serde2.typeinfo.ListTypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.MapTypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.StructTypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfoFactory;

/** Where a Hive table has {@code bigint}: in columns, fields, elements and values of maps. */
final class DeclaredNumbers {
  private DeclaredNumbers() {}

  /** Their dotted lower-case paths, of the columns that Hive put into a reader's configuration. */
  static Set<String> in(Configuration reader) {
    List<String> names =
        DataWritableReadSupport.getColumnNames(reader.get(serdeConstants.LIST_COLUMNS, ""));
    List<TypeInfo> types =
        DataWritableReadSupport.getColumnTypes(reader.get(serdeConstants.LIST_COLUMN_TYPES, ""));
    Set<String> paths = new TreeSet<>();
    for (int i = 0; i < Math.min(names.size(), types.size()); i++) {
      collect(types.get(i), TimestampUnits.child("", names.get(i)), paths);
    }
    return Collections.unmodifiableSet(paths);
  }

  private static void collect(TypeInfo type, String path, Set<String> paths) {
    switch (type.getCategory()) {
      case STRUCT:
        StructTypeInfo struct = (StructTypeInfo) type;
        for (String name : struct.getAllStructFieldNames()) {
          collect(struct.getStructFieldTypeInfo(name), TimestampUnits.child(path, name), paths);
        }
        break;
      case LIST:
        TypeInfo element = ((ListTypeInfo) type).getListElementTypeInfo();
        collect(element, TimestampUnits.child(path, TimestampUnits.ELEMENT), paths);
        break;
      case MAP:
        TypeInfo value = ((MapTypeInfo) type).getMapValueTypeInfo();
        collect(value, TimestampUnits.child(path, TimestampUnits.VALUE), paths);
        break;
      default:
        if (type.equals(TypeInfoFactory.longTypeInfo)) {
          paths.add(path);
        }
    }
  }
}
