// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.merge;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericData;
import org.apache.hudi.common.config.TypedProperties;
import org.apache.hudi.common.model.HoodieEmptyRecord;
import org.apache.hudi.common.model.HoodieKey;
import org.apache.hudi.common.model.HoodieOperation;
import org.apache.hudi.common.model.HoodieRecord;
import org.junit.jupiter.api.Test;

/** Records are compared by their text, since a merged one has another schema object. */
class RowMergerTest {
  private static final Schema WHOLE =
      SchemaBuilder.record("r").fields().optionalInt("a").optionalInt("b").endRecord();
  private static final Schema WITH_A =
      SchemaBuilder.record("r").fields().optionalInt("a").endRecord();
  private static final HoodieKey KEY = new HoodieKey("1", "p");

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

  private static Optional<String> merged(HoodieRecord<?> older, HoodieRecord<?> newer) {
    return new RowMerger(true)
        .partialMerge(older, WHOLE, newer, WHOLE, WHOLE, new TypedProperties())
        .map(merged -> merged.getLeft().getData().toString())
        .toJavaOptional();
  }

  private static HoodieRecord<?> deleted(int orderingValue) {
    return new HoodieEmptyRecord<>(
        KEY, HoodieOperation.DELETE, orderingValue, HoodieRecord.HoodieRecordType.AVRO);
  }

  private static HoodieRecord<?> record(Schema schema, int orderingValue, int... values) {
    GenericData.Record record = new GenericData.Record(schema);
    for (int i = 0; i < values.length; i++) {
      record.put(i, values[i]);
    }
    return new MergedRecord(KEY, record, orderingValue);
  }
}
