// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.merge;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Date;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.LocalDate;
import java.util.stream.Stream;
import org.apache.avro.LogicalType;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericData;
import org.apache.hudi.common.model.DeleteRecord;
import org.apache.hudi.common.schema.HoodieSchema;
import org.apache.hudi.common.table.HoodieTableConfig;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class SliceRecordsTest {
  private static final long MICROS = 1_600_000_000_123_000L;

  static Stream<Arguments> valuesOfADeleteBlock() {
    LocalDate day = LocalDate.of(2020, 2, 29);
    int number = (int) day.toEpochDay();
    Instant instant = Instant.ofEpochSecond(0, MICROS * 1_000);
    return Stream.of(
        Arguments.of(LogicalTypes.date(), Schema.Type.INT, number, number),
        Arguments.of(LogicalTypes.date(), Schema.Type.INT, number, day),
        Arguments.of(LogicalTypes.date(), Schema.Type.INT, number, Date.valueOf(day)),
        Arguments.of(LogicalTypes.timestampMicros(), Schema.Type.LONG, MICROS, MICROS),
        Arguments.of(
            LogicalTypes.timestampMicros(), Schema.Type.LONG, MICROS, Timestamp.from(instant)),
        Arguments.of(
            LogicalTypes.timestampMillis(),
            Schema.Type.LONG,
            MICROS / 1_000,
            Timestamp.from(instant)));
  }

  @ParameterizedTest
  @MethodSource("valuesOfADeleteBlock")
  void anOrderingValueOfADeleteEqualsThatOfARecord(
      LogicalType logical, Schema.Type type, Object stored, Comparable<?> ofDelete) {
    Schema schema =
        SchemaBuilder.record("r")
            .fields()
            .name("n")
            .type(logical.addToSchema(Schema.create(type)))
            .noDefault()
            .endRecord();
    HoodieTableConfig table = new HoodieTableConfig();
    table.setValue(HoodieTableConfig.ORDERING_FIELDS, "n");
    GenericData.Record record = new GenericData.Record(schema);
    record.put("n", stored);
    try (SliceRecords records = new SliceRecords(table, schema)) {
      Object expected =
          records.getOrderingValue(
              record, HoodieSchema.fromAvroSchema(schema), table.getOrderingFields());
      assertThat((Object) records.getOrderingValue(DeleteRecord.create("1", "p", ofDelete)))
          .isEqualTo(expected);
    }
  }
}
