// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.ddl;

import io.hudiskip.table.PartitionColumns;
import io.hudiskip.table.UnreadableTableException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.hive.metastore.api.FieldSchema;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfoUtils;

/** Checks a user's column list against the Hudi table's columns. */
final class ColumnList {
  private ColumnList() {}

  /**
   * Accepts columns that the table has, with its types or others as which they are {@link
   * DeclaredType read}. Columns may be omitted and reordered, since Hive reads Parquet by name.
   *
   * @param inPaths columns whose values are in paths only; their types must match exactly
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
                + ". Omit the column list to get all columns, or name some of "
                + table.keySet());
      }
      TypeInfo type = TypeInfoUtils.getTypeInfoFromTypeString(column.getType());
      boolean asIs = inPaths.contains(column.getName());
      if (!(asIs ? stored : DeclaredType.of(stored, type)).equals(type)) {
        throw new UnreadableTableException(
            String.format(
                "column %s is declared as %s, but the Hudi table has %s. Declare that type,"
                    + " or omit the column list",
                column.getName(), type.getTypeName(), stored.getTypeName()));
      }
    }
  }
}
