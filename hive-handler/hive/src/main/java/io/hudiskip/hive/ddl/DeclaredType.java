// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.ddl;

import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.hive.serde2.typeinfo.CharTypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.ListTypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.MapTypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.StructTypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfoFactory;
import org.apache.hadoop.hive.serde2.typeinfo.VarcharTypeInfo;

/**
 * The type of a column that was declared with another one than the Hudi table has. A string may be
 * a varchar or char; a timestamp may be a bigint, its number, as hive-sync declares it.
 */
final class DeclaredType {
  private DeclaredType() {}

  /** The Hudi table's type with the declared one wherever a value is read as that. */
  static TypeInfo of(TypeInfo hudi, TypeInfo declared) {
    if (hudi.getCategory() != declared.getCategory()) {
      return hudi;
    }
    switch (hudi.getCategory()) {
      case STRUCT:
        return struct((StructTypeInfo) hudi, (StructTypeInfo) declared);
      case LIST:
        return TypeInfoFactory.getListTypeInfo(
            of(
                ((ListTypeInfo) hudi).getListElementTypeInfo(),
                ((ListTypeInfo) declared).getListElementTypeInfo()));
      case MAP:
        return TypeInfoFactory.getMapTypeInfo(
            ((MapTypeInfo) hudi).getMapKeyTypeInfo(),
            of(
                ((MapTypeInfo) hudi).getMapValueTypeInfo(),
                ((MapTypeInfo) declared).getMapValueTypeInfo()));
      default:
        return isReadAs(hudi, declared) ? declared : hudi;
    }
  }

  private static TypeInfo struct(StructTypeInfo hudi, StructTypeInfo declared) {
    List<String> names = hudi.getAllStructFieldNames();
    return TypeInfoFactory.getStructTypeInfo(
        names,
        names.stream()
            .map(
                name -> {
                  TypeInfo type = hudi.getStructFieldTypeInfo(name);
                  return declared.getAllStructFieldNames().contains(name)
                      ? of(type, declared.getStructFieldTypeInfo(name))
                      : type;
                })
            .collect(Collectors.toList()));
  }

  private static boolean isReadAs(TypeInfo hudi, TypeInfo declared) {
    return (hudi.equals(TypeInfoFactory.timestampTypeInfo)
            && declared.equals(TypeInfoFactory.longTypeInfo))
        || (hudi.equals(TypeInfoFactory.stringTypeInfo)
            && (declared instanceof VarcharTypeInfo || declared instanceof CharTypeInfo));
  }
}
