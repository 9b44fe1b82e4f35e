/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.ddl;

import io.hudiskip.hive.table.UnreadableTableException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.hive.metastore.api.FieldSchema;
import org.apache.hadoop.hive.metastore.api.Table;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfoUtils;

/**
 * Which columns a Hive table has of its Hudi table. Either all that the Hudi table has, whenever it
 * is asked; or those that a person named in CREATE TABLE, as long as the Hudi table has them. Their
 * types are the Hudi table's in either case.
 */
enum ColumnChoice {
  /** All columns of the Hudi table. */
  TABLE,
  /** Those that were named. */
  DECLARED;

  /** The table property that keeps the choice. */
  static final String PROPERTY = "hudi.skipping.columns";

  /**
   * The comment that the SerDe gives to columns; those that a person named have none, or a text.
   */
  private static final String FROM_SERDE = "";

  /**
   * The choice that a table was created with. Tables of earlier versions have no property; the
   * comments of their columns tell where these came from.
   */
  static ColumnChoice of(Table table) {
    String property = table.getParameters() == null ? null : table.getParameters().get(PROPERTY);
    for (ColumnChoice choice : values()) {
      if (choice.toString().equals(property)) {
        return choice;
      }
    }
    return table.getSd().getCols().stream()
            .allMatch(column -> FROM_SERDE.equals(column.getComment()))
        ? TABLE
        : DECLARED;
  }

  /**
   * Refuses a property that is neither.
   *
   * @throws UnreadableTableException naming the two
   */
  static void requireKnown(Table table) throws UnreadableTableException {
    String property = table.getParameters() == null ? null : table.getParameters().get(PROPERTY);
    if (property != null
        && !property.equals(TABLE.toString())
        && !property.equals(DECLARED.toString())) {
      throw new UnreadableTableException(
          PROPERTY
              + " is '"
              + property
              + "'. Set it to '"
              + TABLE
              + "' for the columns that the Hudi table has, or to '"
              + DECLARED
              + "' for those that CREATE TABLE named");
    }
  }

  /**
   * The columns of the Hive table.
   *
   * @param stored those in the metastore, which may be older
   * @param hudi those of the Hudi table now, by lower-case names
   * @throws UnreadableTableException when none is left
   */
  List<FieldSchema> columns(List<FieldSchema> stored, Map<String, TypeInfo> hudi)
      throws UnreadableTableException {
    List<FieldSchema> columns = new ArrayList<>();
    if (this == TABLE) {
      hudi.forEach(
          (name, type) -> columns.add(new FieldSchema(name, type.getTypeName(), FROM_SERDE)));
      return columns;
    }
    for (FieldSchema column : stored) {
      TypeInfo type = hudi.get(column.getName().toLowerCase(Locale.ROOT));
      if (type != null) {
        TypeInfo declared = TypeInfoUtils.getTypeInfoFromTypeString(column.getType());
        String name = ColumnList.readsAs(type, declared) ? column.getType() : type.getTypeName();
        columns.add(new FieldSchema(column.getName(), name, column.getComment()));
      }
    }
    if (columns.isEmpty()) {
      throw new UnreadableTableException(
          "the Hudi table has none of the columns any more that CREATE TABLE named. DROP TABLE"
              + " (which leaves the data alone) and CREATE EXTERNAL TABLE again");
    }
    return columns;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
