// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.merge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.IndexedRecord;
import org.apache.hudi.common.util.collection.ClosableIterator;
import org.junit.jupiter.api.Test;

class PlacedRecordsTest {
  private static final Schema SCHEMA =
      SchemaBuilder.record("r")
          .fields()
          .requiredString("word")
          .requiredString("key")
          .requiredInt("n")
          .endRecord();

  /** The schemas that the file was read in. */
  private final List<Schema> opened = new ArrayList<>();

  @Test
  void readsOnlyTheKnownFieldsUntilAnotherIsRequested() throws Exception {
    PlacedRecords records = records();
    for (int row = 0; row < 5; row++) {
      GenericRecord record = (GenericRecord) records.next();
      assertThat(record.getSchema()).isEqualTo(SCHEMA);
      assertThat(record.get("key")).isEqualTo("key " + row);
      assertThat(record.get(2)).isEqualTo(row);
      assertThat(MergedRecords.baseRow(record)).isEqualTo(row);
    }
    assertThat(records.hasNext()).isFalse();
    assertThat(opened).hasSize(1);
    assertThat(opened.get(0).getFields())
        .extracting(Schema.Field::name)
        .containsExactly("key", "n");
  }

  @Test
  void readsOtherFieldsOnlyOfRequestedRows() throws Exception {
    PlacedRecords records = records();
    List<IndexedRecord> all = new ArrayList<>();
    records.forEachRemaining(all::add);
    for (int row : new int[] {1, 1, 4}) {
      assertThat(all.get(row).get(0)).isEqualTo("word " + row);
    }
    assertThat(opened).hasSize(2);
  }

  @Test
  void refusesToGoBack() throws Exception {
    PlacedRecords records = records();
    IndexedRecord first = records.next();
    assertThat(records.next().get(0)).isEqualTo("word 1");
    assertThatThrownBy(() -> first.get(0)).isInstanceOf(IllegalStateException.class);
  }

  private PlacedRecords records() throws IOException {
    return new PlacedRecords(this::open, SCHEMA, Arrays.asList("key", "n"));
  }

  private ClosableIterator<IndexedRecord> open(Schema schema) {
    opened.add(schema);
    return ClosableIterator.wrap(
        IntStream.range(0, 5)
            .mapToObj(row -> record(schema, row))
            .collect(Collectors.toList())
            .iterator());
  }

  private static IndexedRecord record(Schema schema, int row) {
    GenericData.Record record = new GenericData.Record(schema);
    for (Schema.Field field : schema.getFields()) {
      record.put(field.pos(), field.name().equals("n") ? (Object) row : field.name() + " " + row);
    }
    return record;
  }
}
