// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.ddl;

import io.hudiskip.hive.settings.InvalidSettingException;
import io.hudiskip.hive.settings.SkippingConf;
import io.hudiskip.table.UnreadableTableException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.hive.metastore.api.FieldSchema;
import org.apache.hadoop.hive.metastore.api.Table;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfoUtils;

/**
 * Which columns a Hive table has: all that the Hudi table currently has; those named in CREATE
 * TABLE that the Hudi table still has; or these and then all others. The Hudi table determines
 * types in each case. The table property {@link SkippingConf#COLUMNS} stores the choice.
 */
enum ColumnChoice {
  TABLE,
  DECLARED,
  EXTENDED;

  /** The comment that the SerDe sets on columns; user-declared ones have none or a text. */
  private static final String FROM_SERDE = "";

  /**
   * The choice made at creation. Tables of earlier versions lack the property; their columns'
   * comments tell.
   */
  static ColumnChoice of(Table table) {
    String property =
        table.getParameters() == null ? null : table.getParameters().get(SkippingConf.COLUMNS);
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
   * Rejects unknown values of the property.
   *
   * @throws InvalidSettingException naming the known ones
   */
  static void requireKnown(Map<String, String> properties) {
    String property = properties.get(SkippingConf.COLUMNS);
    if (property != null
        && Arrays.stream(values()).noneMatch(choice -> choice.toString().equals(property))) {
      throw new InvalidSettingException(
          String.format(
              "%s is '%s'. Set it to '%s' for all columns of the Hudi table, to '%s' for those"
                  + " named in CREATE TABLE, or to '%s' for these and then all others",
              SkippingConf.COLUMNS, property, TABLE, DECLARED, EXTENDED));
    }
  }

  /**
   * The columns of the Hive table.
   *
   * @param stored those in the metastore, which may be outdated
   * @param hudi those of the Hudi table now, by lower-case names
   */
  List<FieldSchema> columns(List<FieldSchema> stored, Map<String, TypeInfo> hudi)
      throws UnreadableTableException {
    List<FieldSchema> columns = new ArrayList<>();
    if (this == TABLE) {
      hudi.forEach((name, type) -> columns.add(column(name, type)));
      return columns;
    }
    Map<String, TypeInfo> others = new LinkedHashMap<>(hudi);
    for (FieldSchema column : stored) {
      TypeInfo type = others.remove(column.getName().toLowerCase(Locale.ROOT));
      if (type != null) {
        TypeInfo declared = TypeInfoUtils.getTypeInfoFromTypeString(column.getType());
        String name = DeclaredType.of(type, declared).getTypeName();
        columns.add(new FieldSchema(column.getName(), name, column.getComment()));
      }
    }
    if (this == EXTENDED) {
      others.forEach((name, type) -> columns.add(column(name, type)));
    }
    if (columns.isEmpty()) {
      throw new UnreadableTableException(
          "the Hudi table no longer has any column named in CREATE TABLE. Run DROP TABLE (which"
              + " keeps the data) and CREATE EXTERNAL TABLE again");
    }
    return columns;
  }

  private static FieldSchema column(String name, TypeInfo type) {
    return new FieldSchema(name, type.getTypeName(), FROM_SERDE);
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
