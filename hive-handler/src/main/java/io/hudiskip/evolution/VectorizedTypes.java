/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.evolution;

import org.apache.hadoop.hive.serde2.objectinspector.ObjectInspector.Category;
import org.apache.hadoop.hive.serde2.objectinspector.PrimitiveObjectInspector.PrimitiveCategory;
import org.apache.hadoop.hive.serde2.typeinfo.ListTypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.MapTypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.PrimitiveTypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.StructTypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfo;

/**
 * The types that Hive's vectorised Parquet reader reads. Hive plans a vectorised scan for others as
 * well, which then fails: lists and maps of anything but primitive values, or of timestamps.
 */
final class VectorizedTypes {
  private VectorizedTypes() {}

  /** Whether a column of a type is read. */
  static boolean contain(TypeInfo type) {
    switch (type.getCategory()) {
      case PRIMITIVE:
        return true;
      case STRUCT:
        // Of lists within it the reader takes the first column that it finds.
        return ((StructTypeInfo) type)
            .getAllStructFieldTypeInfos().stream()
                .allMatch(
                    field ->
                        field.getCategory() == Category.PRIMITIVE
                            || (field.getCategory() == Category.STRUCT && contain(field)));
      case LIST:
        return isElement(((ListTypeInfo) type).getListElementTypeInfo());
      case MAP:
        return isElement(((MapTypeInfo) type).getMapKeyTypeInfo())
            && isElement(((MapTypeInfo) type).getMapValueTypeInfo());
      default:
        return false;
    }
  }

  private static boolean isElement(TypeInfo type) {
    return type.getCategory() == Category.PRIMITIVE
        && ((PrimitiveTypeInfo) type).getPrimitiveCategory() != PrimitiveCategory.TIMESTAMP;
  }
}
