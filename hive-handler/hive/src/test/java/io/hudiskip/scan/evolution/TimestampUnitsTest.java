// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.evolution;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudiskip.compile.statistics.RecordedTimestamps;
import org.apache.avro.Schema;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code tests/e2e/values/test_timestamp_units.py} reads real files. */
class TimestampUnitsTest {
  @ParameterizedTest
  @CsvSource({
    "timestamp-millis, '(TIMESTAMP(MICROS,true))', '(TIMESTAMP(MILLIS,true))'",
    "timestamp-millis, '(TIMESTAMP(MILLIS,true))', '(TIMESTAMP(MILLIS,true))'",
    "timestamp-millis, '', ''",
    "timestamp-micros, '(TIMESTAMP(MILLIS,true))', '(TIMESTAMP(MILLIS,true))'",
    "timestamp-micros, '(TIMESTAMP(NANOS,true))', '(TIMESTAMP(NANOS,true))'",
    "timestamp-micros, '', ''",
    "local-timestamp-millis, '', '(TIMESTAMP(MILLIS,false))'",
    "local-timestamp-millis, '(TIMESTAMP(MICROS,true))', '(TIMESTAMP(MILLIS,false))'",
    "local-timestamp-micros, '', '(TIMESTAMP(MICROS,false))'",
    "local-timestamp-micros, '(TIMESTAMP(MILLIS,true))', '(TIMESTAMP(MILLIS,true))'",
  })
  void filesHaveTheUnitOfTheTableHoweverDeep(String table, String stored, String read) {
    TimestampUnits units = TimestampUnits.parse(units(table, "timestamp").toString());
    MessageType file = file(stored, stored);
    MessageType repaired = units.repaired(file);
    assertThat(repaired).isEqualTo(file(read, stored)); // n is no timestamp of the table
    if (stored.equals(read)) {
      assertThat(repaired).isSameAs(file);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "timestamp-millis, '(TIMESTAMP(MICROS,true))', '', ''",
    "timestamp-millis, '(TIMESTAMP(MILLIS,true))', '', ''",
    "timestamp-micros, '(TIMESTAMP(MICROS,true))', '', ''",
    "timestamp-micros, '(TIMESTAMP(MILLIS,true))', '', '(TIMESTAMP(MILLIS,true))'",
    "timestamp-micros, '(TIMESTAMP(NANOS,true))', '(TIMESTAMP(NANOS,true))', '(TIMESTAMP(NANOS,true))'",
    "timestamp-micros, '', '', ''",
    "local-timestamp-millis, '', '', ''",
    "local-timestamp-millis, '(TIMESTAMP(MICROS,false))', '', ''",
    "local-timestamp-micros, '(TIMESTAMP(MILLIS,false))', '', '(TIMESTAMP(MILLIS,false))'",
  })
  void timestampsDeclaredAsBigintArePlainNumbers(
      String table, String stored, String read, String merged) {
    TimestampUnits units = TimestampUnits.parse(units(table, "bigint").toString());
    assertThat(units.haveNumbers()).isTrue();
    assertThat(units.areUsual()).isFalse();
    MessageType file = file(stored, stored);
    assertThat(units.repaired(file)).isEqualTo(file(read, stored)); // n is no timestamp
    assertThat(units.merged().repaired(file)).isEqualTo(file(merged, stored));
    String plain = units.repaired(schema(table)).toString();
    assertThat(plain).contains("\"long\"").doesNotContain("timestamp");
  }

  @Test
  void recordsAreOfTheUnitOfTheTable() {
    TimestampUnits millis = units("local-timestamp-millis", "bigint");
    assertThat(millis.recordedType("t")).isEqualTo(RecordedTimestamps.MILLIS);
    assertThat(millis.recordedType("s.t")).isEqualTo(RecordedTimestamps.MILLIS);
    assertThat(millis.recordedType("n")).isEqualTo(RecordedTimestamps.MICROS);
    assertThat(units("local-timestamp-micros", "timestamp").recordedType("t"))
        .isEqualTo(RecordedTimestamps.MICROS);
    assertThat(units("timestamp-micros", "timestamp").areUsual()).isTrue();
  }

  private static TimestampUnits units(String logical, String declared) {
    Configuration reader = new Configuration(false);
    reader.set("columns", "t,s,a,m,n");
    reader.set(
        "columns.types",
        String.format("%1$s:struct<t:%1$s>:array<%1$s>:map<string,%1$s>:bigint", declared));
    return TimestampUnits.of(schema(logical), reader);
  }

  private static Schema schema(String logical) {
    String type = "{'type': 'long', 'logicalType': '" + logical + "'}";
    String schema =
        "{'type': 'record', 'name': 'r', 'fields': [{'name': 'T', 'type': ['null', "
            + type
            + "]}, {'name': 's', 'type': {'type': 'record', 'name': 'i', 'fields':"
            + " [{'name': 't', 'type': "
            + type
            + "}]}}, {'name': 'a', 'type': {'type': 'array', 'items': "
            + type
            + "}}, {'name': 'm', 'type': {'type': 'map', 'values': "
            + type
            + "}}, {'name': 'n', 'type': 'long'}]}";
    return new Schema.Parser().parse(schema.replace('\'', '"'));
  }

  private static MessageType file(String timestamps, String other) {
    return MessageTypeParser.parseMessageType(
        String.format(
            "message m { optional int64 T%1$s; optional group s { optional int64 t%1$s; }"
                + " optional group a (LIST) { repeated group list { optional int64 element%1$s; } }"
                + " optional group m (MAP) { repeated group key_value"
                + " { required binary key (UTF8); optional int64 value%1$s; } }"
                + " optional int64 n%2$s; }",
            timestamps, other));
  }
}
