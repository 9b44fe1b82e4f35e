// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.merge;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericData;
import org.junit.jupiter.api.Test;

class EncodedRecordTest {
  private static final Schema SCHEMA =
      SchemaBuilder.record("r").fields().optionalLong("n").endRecord();

  @Test
  void knowsTheSchemasOfItsOwnReader() {
    try (RecordSchemas ours = new RecordSchemas();
        RecordSchemas theirs = new RecordSchemas()) {
      theirs.number(SchemaBuilder.record("other").fields().requiredInt("n").endRecord());
      EncodedRecord encoded = EncodedRecord.of(ours, new GenericData.Record(SCHEMA));
      theirs.close();
      assertThat(encoded.getSchema()).isSameAs(SCHEMA);
      assertThat(encoded.get("n")).isNull();
    }
  }
}
