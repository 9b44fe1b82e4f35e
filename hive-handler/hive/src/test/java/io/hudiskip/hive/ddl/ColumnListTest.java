// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.ddl;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudiskip.table.PartitionColumns;
import io.hudiskip.table.UnreadableTableException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.hive.metastore.api.FieldSchema;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfoUtils;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ColumnListTest {
  private static final PartitionColumns IN_PATHS =
      new PartitionColumns(Collections.singletonList("Day"), false, false);
  private static final Map<String, TypeInfo> TABLE = new LinkedHashMap<>();

  static {
    TABLE.put("id", TypeInfoUtils.getTypeInfoFromTypeString("bigint"));
    TABLE.put("city", TypeInfoUtils.getTypeInfoFromTypeString("string"));
    TABLE.put("day", TypeInfoUtils.getTypeInfoFromTypeString("string"));
    TABLE.put("price", TypeInfoUtils.getTypeInfoFromTypeString("decimal(10,2)"));
    TABLE.put("place", TypeInfoUtils.getTypeInfoFromTypeString("struct<x:int,y:string>"));
    TABLE.put("at", TypeInfoUtils.getTypeInfoFromTypeString("timestamp"));
    TABLE.put(
        "deep",
        TypeInfoUtils.getTypeInfoFromTypeString(
            "struct<at:timestamp,a:array<timestamp>,m:map<string,timestamp>>"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "id | bigint",
        "PLACE | struct<X:int,y:string>",
        "city | varchar(10)",
        "city | char(3)",
        "day | string",
        "at | bigint",
        "deep | struct<at:bigint,a:array<timestamp>,m:map<string,bigint>>",
        "deep | struct<at:timestamp,a:array<bigint>,m:map<string,timestamp>>"
      })
  void acceptsColumnsOfTheTableAndTypesAsWhichTheyAreRead(String name, String type) {
    assertThatCode(() -> check(name, type)).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "town | string | no column town",
        "id | int | id is declared as int, but the Hudi table has bigint",
        "at | int | at is declared as int, but the Hudi table has timestamp",
        "deep | struct<at:bigint> | has struct<at:timestamp",
        "price | decimal(12,2) | has decimal(10,2)",
        "id | varchar(10) | has bigint",
        "place | struct<x:int> | has struct<x:int,y:string>",
        "day | varchar(10) | the Hudi table has string" // only in paths
      })
  void refusesOtherColumnsAndTypes(String name, String type, String message) {
    assertThatThrownBy(() -> check(name, type))
        .isInstanceOf(UnreadableTableException.class)
        .hasMessageContaining(message);
  }

  private static void check(String name, String type) throws UnreadableTableException {
    FieldSchema column = new FieldSchema(name, type, null);
    ColumnList.check(Collections.singletonList(column), TABLE, IN_PATHS);
  }
}
