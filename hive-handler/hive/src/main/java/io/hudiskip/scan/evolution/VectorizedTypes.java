// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.evolution;

import java.util.Collections;
import java.util.List;
import org.apache.hadoop.hive.serde2.objectinspector.ObjectInspector.Category;
import org.apache.hadoop.hive.serde2.typeinfo.StructTypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfo;

/**
 * Types that Hive's vectorised Parquet reader reads correctly; Hive also plans vectorised scans for
 * others. Lists and maps are never among them: an empty one is read with an element 0 or
 * 1970-01-01, and elements that are timestamps or not primitive fail. The reader confuses a NULL
 * struct with one whose fields are all NULL, so only the fields of structs can be trusted.
 */
final class VectorizedTypes {
  private VectorizedTypes() {}

  /**
   * Whether a column of this type is read correctly.
   *
   * @param paths of the column's fields that are read; none or an empty path means all
   */
  static boolean contain(TypeInfo type, List<String> paths) {
    switch (type.getCategory()) {
      case PRIMITIVE:
        return true;
      case STRUCT:
        // Of a struct that contains lists, the reader takes the first column, projected or not.
        return hasOnlyFields(type)
            && !paths.isEmpty()
            && paths.stream().allMatch(path -> isField(type, path));
      default:
        return false;
    }
  }

  /** Whether the type consists of structs with primitive leaves. */
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
