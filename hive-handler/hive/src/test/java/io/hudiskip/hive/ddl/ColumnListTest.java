// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.ddl;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudiskip.hive.table.PartitionColumns;
import io.hudiskip.hive.table.UnreadableTableException;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.hive.metastore.api.FieldSchema;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfoUtils;
import org.junit.jupiter.api.Test;

class ColumnListTest {
  private static final PartitionColumns NO_PATHS =
      new PartitionColumns(Collections.emptyList(), false, false);
  private static final Map<String, TypeInfo> TABLE = new LinkedHashMap<>();

  static {
    TABLE.put("id", TypeInfoUtils.getTypeInfoFromTypeString("bigint"));
    TABLE.put("city", TypeInfoUtils.getTypeInfoFromTypeString("string"));
    TABLE.put("price", TypeInfoUtils.getTypeInfoFromTypeString("decimal(10,2)"));
    TABLE.put("place", TypeInfoUtils.getTypeInfoFromTypeString("struct<x:int,y:string>"));
  }

  @Test
  void acceptsSomeColumnsInAnyOrderAndCase() {
    assertAccepted(NO_PATHS, column("PLACE", "struct<X:int,y:string>"), column("id", "bigint"));
  }

  @Test
  void acceptsVarcharAndCharOverString() {
    assertAccepted(NO_PATHS, column("city", "varchar(10)"));
    assertAccepted(NO_PATHS, column("city", "char(3)"));
  }

  @Test
  void acceptsAColumnThatIsOnlyInPathsWithItsOwnType() {
    PartitionColumns city = new PartitionColumns(Collections.singletonList("City"), false, false);
    assertAccepted(city, column("city", "string"));
    assertRefused(column("city", "varchar(10)"), city, "the Hudi table has string");
  }

  @Test
  void refusesAColumnThatTheTableLacks() {
    assertRefused(column("town", "string"), "no column town");
  }

  @Test
  void refusesAnotherTypeThanTheTables() {
    assertRefused(column("id", "int"), "id is declared as int, but the Hudi table has bigint");
    assertRefused(column("price", "decimal(12,2)"), "has decimal(10,2)");
    assertRefused(column("id", "varchar(10)"), "has bigint");
    assertRefused(column("place", "struct<x:int>"), "has struct<x:int,y:string>");
  }

  private static void assertAccepted(PartitionColumns inPaths, FieldSchema... columns) {
    assertThatCode(() -> ColumnList.check(Arrays.asList(columns), TABLE, inPaths))
        .doesNotThrowAnyException();
  }

  private static void assertRefused(FieldSchema column, String message) {
    assertRefused(column, NO_PATHS, message);
  }

  private static void assertRefused(FieldSchema column, PartitionColumns inPaths, String message) {
    assertThatThrownBy(() -> ColumnList.check(Collections.singletonList(column), TABLE, inPaths))
        .isInstanceOf(UnreadableTableException.class)
        .hasMessageContaining(message);
  }

  private static FieldSchema column(String name, String type) {
    return new FieldSchema(name, type, null);
  }
}
