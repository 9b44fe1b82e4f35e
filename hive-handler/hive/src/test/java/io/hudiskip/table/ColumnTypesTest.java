// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ColumnTypesTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'boolean' | boolean",
        "'int' | int",
        "'long' | bigint",
        "'float' | float",
        "'double' | double",
        "'string' | string",
        "'bytes' | binary",
        "['null','int'] | int",
        "['string','null'] | string",
        "{'type':'enum','name':'e','symbols':['a']} | string",
        "{'type':'fixed','name':'f','size':4} | binary",
        "{'type':'string','logicalType':'uuid'} | string",
        "{'type':'int','logicalType':'date'} | date",
        "{'type':'long','logicalType':'timestamp-micros'} | timestamp",
        "{'type':'long','logicalType':'timestamp-millis'} | timestamp",
        "{'type':'long','logicalType':'local-timestamp-micros'} | timestamp",
        "{'type':'bytes','logicalType':'decimal','precision':12,'scale':2} | decimal(12,2)",
        "{'type':'fixed','name':'d','size':16,'logicalType':'decimal','precision':38,'scale':0} |"
            + " decimal(38,0)",
        "{'type':'array','items':['null','long']} | array<bigint>",
        "{'type':'map','values':'double'} | map<string,double>",
        "{'type':'record','name':'r','fields':[{'name':'X','type':'long'},{'name':'y','type':['null','string']}]}"
            + " | struct<x:bigint,y:string>",
      })
  void mapsToTheTypeAsWhichHiveReadsParquet(String avro, String hive) throws Exception {
    assertThat(ColumnTypes.hiveType(parse(avro), "c").getTypeName()).isEqualTo(hive);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'null' | the Avro type null",
        "['int','string'] | union of several types",
        "{'type':'int','logicalType':'time-millis'} | time-millis",
        "{'type':'long','logicalType':'time-micros'} | time-micros",
        "{'type':'bytes','logicalType':'decimal','precision':39,'scale':2} | 39 digits",
        "{'type':'fixed','name':'v','size':8,'logicalType':'vector','dimension':2} | type vector",
        "{'type':'record','name':'v','logicalType':'variant','fields':[{'name':'value','type':'bytes'}]}"
            + " | type variant",
        "{'type':'record','name':'b','logicalType':'blob','fields':[{'name':'data','type':'bytes'}]}"
            + " | type blob",
      })
  void refusesTypesThatHiveLacks(String avro, String reason) {
    Schema nested = parse("{'type':'array','items':" + avro + "}");
    assertThatThrownBy(() -> ColumnTypes.hiveType(nested, "c"))
        .isInstanceOf(UnreadableTableException.class)
        .hasMessageContaining("c.element")
        .hasMessageContaining(reason);
  }

  @Test
  void refusesFieldsThatDifferOnlyInCase() {
    Schema schema =
        parse(
            "{'type':'record','name':'r','fields':[{'name':'x','type':'long'},{'name':'X','type':'long'}]}");
    assertThatThrownBy(() -> ColumnTypes.hiveType(schema, "place"))
        .hasMessageContaining("two fields of place differ only in case: X");
  }

  @Test
  void refusesASchemaThatContainsItself() {
    Schema schema =
        parse("{'type':'record','name':'r','fields':[{'name':'next','type':['null','r']}]}");
    assertThatThrownBy(() -> ColumnTypes.hiveType(schema, "list"))
        .hasMessageContaining("nested deeper");
  }

  private static Schema parse(String schema) {
    return new Schema.Parser().parse(schema.replace('\'', '"'));
  }
}
