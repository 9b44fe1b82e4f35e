// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.merge;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.hudi.common.config.TypedProperties;
import org.apache.hudi.common.model.HoodieEmptyRecord;
import org.apache.hudi.common.model.HoodieKey;
import org.apache.hudi.common.model.HoodieOperation;
import org.apache.hudi.common.model.HoodieRecord;
import org.apache.hudi.common.util.Option;
import org.apache.hudi.common.util.collection.Pair;
import org.junit.jupiter.api.Test;

class RowMergerTest {
  private static final Schema WHOLE =
      SchemaBuilder.record("r")
          .fields()
          .requiredInt("id")
          .optionalInt("a")
          .optionalInt("b")
          .endRecord();
  private static final Schema WITH_A =
      SchemaBuilder.record("r").fields().requiredInt("id").optionalInt("a").endRecord();
  private static final Schema WITH_B =
      SchemaBuilder.record("r").fields().requiredInt("id").optionalInt("b").endRecord();

  @Test
  void putsTheFieldsOfAPartialRecordOverThoseOfTheOther() {
    MergedRecord change = new MergedRecord(key(), partial(WITH_A, "a", 7), 9);
    assertThat(partialMerge(record(5, 1, 1, 2), WHOLE, change, WITH_A))
        .hasToString(whole(1, 7, 2).toString());
    // Obsolete: the other record's fields remain.
    MergedRecord obsolete = new MergedRecord(key(), partial(WITH_A, "a", 7), 3);
    assertThat(partialMerge(record(5, 1, 1, 2), WHOLE, obsolete, WITH_A))
        .hasToString(whole(1, 1, 2).toString());
  }

  @Test
  void deletesWhereTheDeleteComesLast() {
    HoodieRecord<?> delete = deleted(9);
    assertThat(
            new RowMerger(true)
                .partialMerge(record(5, 1, 1, 2), WHOLE, delete, null, WHOLE, properties())
                .isPresent())
        .isFalse();
    assertThat(partialMerge(deleted(3), null, record(5, 1, 1, 2), WHOLE))
        .hasToString(whole(1, 1, 2).toString());
    assertThat(
            new RowMerger(true)
                .partialMerge(record(5, 1, 1, 2), WHOLE, deleted(0), null, WHOLE, properties())
                .isPresent())
        .as("a delete without an ordering value wins")
        .isFalse();
  }

  // The tests compare the text of records, since a merged record has another schema object.

  private static GenericRecord partialMerge(
      HoodieRecord<?> older, Schema oldSchema, HoodieRecord<?> newer, Schema newSchema) {
    return data(
        new RowMerger(true).partialMerge(older, oldSchema, newer, newSchema, WHOLE, properties()));
  }

  @SuppressWarnings("rawtypes")
  private static GenericRecord data(Option<Pair<HoodieRecord, Schema>> merged) {
    return (GenericRecord) merged.get().getLeft().getData();
  }

  private static TypedProperties properties() {
    return new TypedProperties();
  }

  private static HoodieRecord<?> deleted(int orderingValue) {
    return new HoodieEmptyRecord<>(
        key(), HoodieOperation.DELETE, orderingValue, HoodieRecord.HoodieRecordType.AVRO);
  }

  private static MergedRecord record(int orderingValue, int id, int a, int b) {
    return new MergedRecord(key(), whole(id, a, b), orderingValue);
  }

  private static GenericRecord whole(int id, int a, int b) {
    GenericData.Record record = new GenericData.Record(WHOLE);
    record.put("id", id);
    record.put("a", a);
    record.put("b", b);
    return record;
  }

  private static GenericRecord partial(Schema schema, String name, int value) {
    GenericData.Record record = new GenericData.Record(schema);
    record.put("id", 1);
    record.put(name, value);
    return record;
  }

  private static HoodieKey key() {
    return new HoodieKey("1", "p");
  }
}
