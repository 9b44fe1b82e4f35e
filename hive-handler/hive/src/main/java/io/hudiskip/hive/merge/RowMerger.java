// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.merge;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.IndexedRecord;
import org.apache.hudi.common.config.TypedProperties;
import org.apache.hudi.common.model.HoodieEmptyRecord;
import org.apache.hudi.common.model.HoodieRecord;
import org.apache.hudi.common.model.HoodieRecordMerger;
import org.apache.hudi.common.util.Option;
import org.apache.hudi.common.util.collection.Pair;

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
  public Option<Pair<HoodieRecord, Schema>> merge(
      HoodieRecord older,
      Schema oldSchema,
      HoodieRecord newer,
      Schema newSchema,
      TypedProperties properties) {
    return isOlderLast(older, oldSchema, newer, newSchema, properties)
        ? Option.of(Pair.of(older, oldSchema))
        : Option.of(Pair.of(newer, newSchema));
  }

  @Override
  public Option<Pair<HoodieRecord, Schema>> partialMerge(
      HoodieRecord older,
      Schema oldSchema,
      HoodieRecord newer,
      Schema newSchema,
      Schema readerSchema,
      TypedProperties properties) {
    boolean isOlderLast = isOlderLast(older, oldSchema, newer, newSchema, properties);
    HoodieRecord last = isOlderLast ? older : newer;
    HoodieRecord first = isOlderLast ? newer : older;
    Schema lastSchema = isOlderLast ? oldSchema : newSchema;
    if (isDelete(last)) {
      return Option.empty();
    }
    if (isDelete(first)) {
      return Option.of(Pair.of(last, lastSchema));
    }
    IndexedRecord merged =
        merged((IndexedRecord) first.getData(), (IndexedRecord) last.getData(), readerSchema);
    return Option.of(
        Pair.of(
            new MergedRecord(last.getKey(), merged, last.getOrderingValue(lastSchema, properties)),
            merged.getSchema()));
  }

  private boolean isOlderLast(
      HoodieRecord older,
      Schema oldSchema,
      HoodieRecord newer,
      Schema newSchema,
      TypedProperties properties) {
    if (!isByEventTime) {
      return false;
    }
    @SuppressWarnings("unchecked") // both are values of the same field
    Comparable<Object> value = older.getOrderingValue(oldSchema, properties);
    Object other = newer.getOrderingValue(newSchema, properties);
    // A delete without an ordering value, Hudi's 0, wins over everything before it.
    return !isUnordered(newer, other) && !isUnordered(older, value) && value.compareTo(other) > 0;
  }

  private static boolean isUnordered(HoodieRecord record, Object orderingValue) {
    return isDelete(record) && orderingValue.equals(HoodieRecord.DEFAULT_ORDERING_VALUE);
  }

  private static boolean isDelete(HoodieRecord record) {
    return record instanceof HoodieEmptyRecord;
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
