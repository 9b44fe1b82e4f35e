// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.merge;

import java.io.IOException;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.IndexedRecord;
import org.apache.hudi.common.config.TypedProperties;
import org.apache.hudi.common.engine.RecordContext;
import org.apache.hudi.common.model.HoodieAvroRecordMerger;
import org.apache.hudi.common.table.read.BufferedRecord;

/**
 * Merges by a payload class, which works on copies: payloads change the records that they are given
 * ({@code PartialUpdateAvroPayload}) and expect Avro's own class ({@code
 * PostgresDebeziumAvroPayload}), while records that wait for a merge and {@link PlacedRecord}s are
 * read-only.
 */
final class PayloadMerger extends HoodieAvroRecordMerger {
  private static final long serialVersionUID = 1L;

  @Override
  @SuppressWarnings("ReferenceEquality") // Hudi knows by identity that a record stays as it is
  public <T> BufferedRecord<T> merge(
      BufferedRecord<T> older,
      BufferedRecord<T> newer,
      RecordContext<T> context,
      TypedProperties properties)
      throws IOException {
    BufferedRecord<T> copy = copied(older, context);
    BufferedRecord<T> merged = super.merge(copy, copied(newer, context), context, properties);
    return merged == copy && isUnchanged(copy, older) ? older : merged;
  }

  @SuppressWarnings("unchecked") // the context's records are Avro's
  private static <T> BufferedRecord<T> copied(
      BufferedRecord<T> buffered, RecordContext<T> context) {
    if (buffered.getRecord() == null) {
      return buffered;
    }
    IndexedRecord record = (IndexedRecord) buffered.getRecord();
    // A payload decodes the record again for any other schema object.
    GenericData.Record copy =
        new GenericData.Record(context.getSchemaFromBufferRecord(buffered).toAvroSchema());
    for (Schema.Field field : copy.getSchema().getFields()) {
      copy.put(field.pos(), SliceRecords.field(record, field.name()));
    }
    return new BufferedRecord<>(
        buffered.getRecordKey(),
        buffered.getOrderingValue(),
        (T) copy,
        buffered.getSchemaId(),
        buffered.getHoodieOperation());
  }

  @SuppressWarnings("ReferenceEquality") // the copy has the original's values
  private static boolean isUnchanged(BufferedRecord<?> copy, BufferedRecord<?> original) {
    if (copy == original) {
      return true;
    }
    IndexedRecord record = (IndexedRecord) copy.getRecord();
    return record.getSchema().getFields().stream()
        .allMatch(
            field ->
                record.get(field.pos())
                    == SliceRecords.field((IndexedRecord) original.getRecord(), field.name()));
  }
}
