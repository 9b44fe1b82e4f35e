// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.merge;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.IndexedRecord;
import org.apache.hudi.common.config.TypedProperties;
import org.apache.hudi.common.model.HoodieAvroRecordMerger;
import org.apache.hudi.common.model.debezium.DebeziumConstants;
import org.apache.hudi.common.model.debezium.PostgresDebeziumAvroPayload;
import org.apache.hudi.common.schema.HoodieSchema;
import org.apache.hudi.common.table.HoodieTableConfig;
import org.apache.hudi.common.table.read.BufferedRecord;
import org.junit.jupiter.api.Test;

class PayloadMergerTest {
  @Test
  void aPayloadThatChangesTheRecordIsHeard() throws IOException {
    Schema schema =
        SchemaBuilder.record("r")
            .fields()
            .requiredLong(DebeziumConstants.FLATTENED_LSN_COL_NAME)
            .optionalString(DebeziumConstants.FLATTENED_OP_COL_NAME)
            .optionalString("s")
            .optionalBytes("b")
            .endRecord();
    HoodieTableConfig table = new HoodieTableConfig();
    table.setValue(
        HoodieTableConfig.PAYLOAD_CLASS_NAME, PostgresDebeziumAvroPayload.class.getName());
    TypedProperties properties = new TypedProperties();
    properties.setProperty(
        HoodieAvroRecordMerger.PAYLOAD_CLASS_PROP, PostgresDebeziumAvroPayload.class.getName());
    try (SliceRecords records = new SliceRecords(table, schema)) {
      records.mergeByPayload();
      BufferedRecord<IndexedRecord> older = buffered(records, record(schema, 1L, "whole", "old"));
      BufferedRecord<IndexedRecord> newer =
          buffered(
              records,
              record(schema, 2L, PostgresDebeziumAvroPayload.DEBEZIUM_TOASTED_VALUE, "new"));
      IndexedRecord merged =
          new PayloadMerger().merge(older, newer, records, properties).getRecord();
      assertThat(merged.get(2)).hasToString("whole");
      assertThat(merged.get(3)).isEqualTo(bytes("new"));
    }
  }

  private static BufferedRecord<IndexedRecord> buffered(
      SliceRecords records, IndexedRecord record) {
    HoodieSchema schema = HoodieSchema.fromAvroSchema(record.getSchema());
    return new BufferedRecord<>(
        "1",
        (Long) record.get(0),
        records.toBinaryRow(schema, record),
        records.encodeSchema(schema),
        null);
  }

  private static GenericData.Record record(Schema schema, long lsn, String text, String binary) {
    GenericData.Record record = new GenericData.Record(schema);
    record.put(0, lsn);
    record.put(1, "u");
    record.put(2, text);
    record.put(3, bytes(binary));
    return record;
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }
}
