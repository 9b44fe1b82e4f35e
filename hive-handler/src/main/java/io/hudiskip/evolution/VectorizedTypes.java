/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.evolution;

import java.util.Collections;
import java.util.List;
import org.apache.hadoop.hive.serde2.objectinspector.ObjectInspector.Category;
import org.apache.hadoop.hive.serde2.typeinfo.StructTypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfo;

/**
 * What Hive's vectorised Parquet reader reads rightly. It plans a vectorised scan for other types
 * as well. Lists and maps are never among them: it takes an empty one for one with an element, 0 or
 * 1970-01-01, and fails on elements that are not primitive or are timestamps. A struct whose fields
 * are all NULL it takes for NULL, and one that is NULL at times for one that is not, so of structs
 * it is good for their fields only.
 */
final class VectorizedTypes {
  private VectorizedTypes() {}

  /**
   * Whether a column of a type is read rightly.
   *
   * @param paths of the fields of the column that are read; none, or an empty one, stands for all
   *     of it
   */
  static boolean contain(TypeInfo type, List<String> paths) {
    switch (type.getCategory()) {
      case PRIMITIVE:
        return true;
      case STRUCT:
        // Of lists within it the reader takes the first column that it finds, read or not.
        return hasOnlyFields(type)
            && !paths.isEmpty()
            && paths.stream().allMatch(path -> isField(type, path));
      default:
        return false;
    }
  }

  /** Whether there is nothing but primitive values at the ends of structs. */
  private static boolean hasOnlyFields(TypeInfo type) {
    return type.getCategory() == Category.PRIMITIVE
        || (type.getCategory() == Category.STRUCT
            && ((StructTypeInfo) type)
                .getAllStructFieldTypeInfos().stream().allMatch(VectorizedTypes::hasOnlyFields));
  }

  /** Whether a path ends at a primitive value. */
  private static boolean isField(TypeInfo type, String path) {
    if (type.getCategory() == Category.PRIMITIVE || path.isEmpty()) {
      return type.getCategory() == Category.PRIMITIVE;
    }
    StructTypeInfo struct = (StructTypeInfo) type;
    for (int i = 0; i < struct.getAllStructFieldNames().size(); i++) {
      List<String> below =
          NestedProjection.below(
              struct.getAllStructFieldNames().get(i), Collections.singleton(path));
      if (!below.isEmpty()) {
        return isField(struct.getAllStructFieldTypeInfos().get(i), below.get(0));
      }
    }
    return false;
  }
}
