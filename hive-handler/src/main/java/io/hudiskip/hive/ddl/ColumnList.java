/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.ddl;

import io.hudiskip.hive.table.PartitionColumns;
import io.hudiskip.hive.table.UnreadableTableException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.hive.metastore.api.FieldSchema;
import org.apache.hadoop.hive.serde2.typeinfo.CharTypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfoFactory;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfoUtils;
import org.apache.hadoop.hive.serde2.typeinfo.VarcharTypeInfo;

/** The check of a column list that a person wrote against the columns that the Hudi table has. */
final class ColumnList {
  private ColumnList() {}

  /**
   * Accepts a list of columns that the table has, with the types that it has. It may leave columns
   * out and have another order, since Hive reads Parquet by name; a string column may be declared
   * as varchar or char.
   *
   * @param inPaths columns whose values are in no file; they are read as they are
   * @throws UnreadableTableException naming the first column that does not fit
   */
  static void check(
      List<FieldSchema> declared, Map<String, TypeInfo> table, PartitionColumns inPaths)
      throws UnreadableTableException {
    for (FieldSchema column : declared) {
      TypeInfo stored = table.get(column.getName().toLowerCase(Locale.ROOT));
      if (stored == null) {
        throw new UnreadableTableException(
            "the Hudi table has no column "
                + column.getName()
                + ". Leave the column list out to get the table's own columns, or name some of "
                + table.keySet());
      }
      TypeInfo type = TypeInfoUtils.getTypeInfoFromTypeString(column.getType());
      boolean asIs = inPaths.contains(column.getName());
      if (!(asIs ? stored.equals(type) : readsAs(stored, type))) {
        throw new UnreadableTableException(
            "column "
                + column.getName()
                + " is declared as "
                + type.getTypeName()
                + ", and the Hudi table has "
                + stored.getTypeName()
                + ". Declare it as that, or leave the column list out");
      }
    }
  }

  /** Whether a column of a type may be declared as another. */
  static boolean readsAs(TypeInfo stored, TypeInfo declared) {
    return stored.equals(declared)
        || (stored.equals(TypeInfoFactory.stringTypeInfo)
            && (declared instanceof VarcharTypeInfo || declared instanceof CharTypeInfo));
  }
}
