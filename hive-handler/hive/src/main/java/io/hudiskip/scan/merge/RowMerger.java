// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.merge;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.IndexedRecord;
import org.apache.hudi.common.config.TypedProperties;
import org.apache.hudi.common.engine.RecordContext;
import org.apache.hudi.common.model.HoodieRecord;
import org.apache.hudi.common.model.HoodieRecordMerger;
import org.apache.hudi.common.schema.HoodieSchema;
import org.apache.hudi.common.table.read.BufferedRecord;

/**
 * Merges two records of one key by either of Hudi's orderings. Hudi's Avro mergers support only
 * whole records; partial ones, written by {@code MERGE INTO}, merge here as in its Spark mergers
 * ({@code SparkRecordMergingUtils}): the later record's fields replace the earlier's.
 */
final class RowMerger implements HoodieRecordMerger {
  private static final long serialVersionUID = 1L;

  private final boolean isByEventTime;

  /** Schemas of merged records, by those of the first record, the last and the reader. */
  private final transient Map<List<Schema>, Schema> schemas = new HashMap<>();

  /**
   * {@code isByEventTime} means that the greater ordering value wins, rather than the later record.
   */
  RowMerger(boolean isByEventTime) {
    this.isByEventTime = isByEventTime;
  }

  @Override
  public <T> BufferedRecord<T> merge(
      BufferedRecord<T> older,
      BufferedRecord<T> newer,
      RecordContext<T> context,
      TypedProperties properties) {
    return isOlderLast(older, newer) ? older : newer;
  }

  @Override
  @SuppressWarnings("unchecked") // the context's records are Avro's
  public <T> BufferedRecord<T> partialMerge(
      BufferedRecord<T> older,
      BufferedRecord<T> newer,
      HoodieSchema readerSchema,
      RecordContext<T> context,
      TypedProperties properties) {
    boolean isOlderLast = isOlderLast(older, newer);
    BufferedRecord<T> last = isOlderLast ? older : newer;
    BufferedRecord<T> first = isOlderLast ? newer : older;
    if (last.isDelete() || first.isDelete()) {
      return last;
    }
    IndexedRecord merged =
        merged(
            (IndexedRecord) first.getRecord(),
            (IndexedRecord) last.getRecord(),
            readerSchema.toAvroSchema());
    return new BufferedRecord<>(
        last.getRecordKey(),
        last.getOrderingValue(),
        (T) merged,
        context.encodeSchema(HoodieSchema.fromAvroSchema(merged.getSchema())),
        last.getHoodieOperation());
  }

  private boolean isOlderLast(BufferedRecord<?> older, BufferedRecord<?> newer) {
    if (!isByEventTime) {
      return false;
    }
    @SuppressWarnings("unchecked") // both are values of the same fields
    Comparable<Object> value = older.getOrderingValue();
    // A delete without an ordering value, Hudi's 0, wins over everything before it.
    return !newer.isCommitTimeOrderingDelete()
        && !older.isCommitTimeOrderingDelete()
        && value.compareTo(newer.getOrderingValue()) > 0;
  }

  /** The fields of either record that the reader requests, in its order; the last record's win. */
  private IndexedRecord merged(IndexedRecord first, IndexedRecord last, Schema reader) {
    Schema schema =
        schemas.computeIfAbsent(
            Arrays.asList(first.getSchema(), last.getSchema(), reader), RowMerger::mergedSchema);
    GenericData.Record merged = new GenericData.Record(schema);
    for (Schema.Field field : schema.getFields()) {
      Schema.Field own = last.getSchema().getField(field.name());
      merged.put(
          field.pos(),
          own == null
              ? first.get(first.getSchema().getField(field.name()).pos())
              : last.get(own.pos()));
    }
    return merged;
  }

  private static Schema mergedSchema(List<Schema> firstLastAndReader) {
    Schema reader = firstLastAndReader.get(2);
    List<Schema.Field> fields = new ArrayList<>();
    for (Schema.Field field : reader.getFields()) {
      Schema.Field own = firstLastAndReader.get(1).getField(field.name());
      Schema.Field found = own == null ? firstLastAndReader.get(0).getField(field.name()) : own;
      if (found != null) {
        fields.add(new Schema.Field(field.name(), found.schema(), null, (Object) null));
      }
    }
    return Schema.createRecord(reader.getName(), null, reader.getNamespace(), false, fields);
  }

  @Override
  public HoodieRecord.HoodieRecordType getRecordType() {
    return HoodieRecord.HoodieRecordType.AVRO;
  }

  @Override
  public String getMergingStrategy() {
    return isByEventTime
        ? EVENT_TIME_BASED_MERGE_STRATEGY_UUID
        : COMMIT_TIME_BASED_MERGE_STRATEGY_UUID;
  }
}
