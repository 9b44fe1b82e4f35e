// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.merge;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.function.Function;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.IndexedRecord;
import org.apache.hudi.common.config.TypedProperties;
import org.apache.hudi.common.schema.HoodieSchema;
import org.apache.hudi.common.table.HoodieTableConfig;
import org.apache.hudi.common.table.read.BufferedRecord;
import org.apache.hudi.common.table.read.BufferedRecords;
import org.junit.jupiter.api.Test;

/** Records are compared by their text, since a merged one has another schema object. */
class RowMergerTest {
  private static final Schema WHOLE =
      SchemaBuilder.record("r").fields().optionalInt("a").optionalInt("b").endRecord();
  private static final Schema WITH_A =
      SchemaBuilder.record("r").fields().optionalInt("a").endRecord();

  @Test
  void putsTheFieldsOfAPartialRecordOverThoseOfTheOther() {
    assertThat(merged(record(WHOLE, 5, 1, 2), record(WITH_A, 9, 7)))
        .contains("{\"a\": 7, \"b\": 2}");
    assertThat(merged(record(WHOLE, 5, 1, 2), record(WITH_A, 3, 7)))
        .as("it is obsolete")
        .contains("{\"a\": 1, \"b\": 2}");
  }

  @Test
  void deletesWhereTheDeleteComesLast() {
    assertThat(merged(record(WHOLE, 5, 1, 2), deleted(9))).isEmpty();
    assertThat(merged(deleted(3), record(WHOLE, 5, 1, 2))).contains("{\"a\": 1, \"b\": 2}");
    assertThat(merged(record(WHOLE, 5, 1, 2), deleted(0)))
        .as("a delete without an ordering value wins")
        .isEmpty();
  }

  private static Optional<String> merged(
      Function<SliceRecords, BufferedRecord<IndexedRecord>> older,
      Function<SliceRecords, BufferedRecord<IndexedRecord>> newer) {
    try (SliceRecords records = new SliceRecords(new HoodieTableConfig(), WHOLE)) {
      BufferedRecord<IndexedRecord> merged =
          new RowMerger(true)
              .partialMerge(
                  older.apply(records),
                  newer.apply(records),
                  HoodieSchema.fromAvroSchema(WHOLE),
                  records,
                  new TypedProperties());
      return merged.isDelete() ? Optional.empty() : Optional.of(merged.getRecord().toString());
    }
  }

  private static Function<SliceRecords, BufferedRecord<IndexedRecord>> deleted(int orderingValue) {
    return records -> BufferedRecords.createDelete("1", orderingValue);
  }

  private static Function<SliceRecords, BufferedRecord<IndexedRecord>> record(
      Schema schema, int orderingValue, int... values) {
    GenericData.Record record = new GenericData.Record(schema);
    for (int i = 0; i < values.length; i++) {
      record.put(i, values[i]);
    }
    return records ->
        new BufferedRecord<>(
            "1",
            orderingValue,
            record,
            records.encodeSchema(HoodieSchema.fromAvroSchema(schema)),
            null);
  }
}
