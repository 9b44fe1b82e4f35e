// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.merge;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import javax.annotation.Nullable;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.util.Utf8;
import org.apache.hudi.avro.HoodieAvroUtils;
import org.apache.hudi.common.config.RecordMergeMode;
import org.apache.hudi.common.engine.HoodieReaderContext;
import org.apache.hudi.common.model.HoodieAvroRecordMerger;
import org.apache.hudi.common.model.HoodieEmptyRecord;
import org.apache.hudi.common.model.HoodieKey;
import org.apache.hudi.common.model.HoodieOperation;
import org.apache.hudi.common.model.HoodieRecord;
import org.apache.hudi.common.model.HoodieRecordMerger;
import org.apache.hudi.common.table.read.BufferedRecord;
import org.apache.hudi.common.util.Option;
import org.apache.hudi.common.util.collection.ClosableIterator;
import org.apache.hudi.common.util.collection.CloseableMappingIterator;
import org.apache.hudi.storage.HoodieStorage;
import org.apache.hudi.storage.StoragePath;
import org.apache.parquet.schema.MessageType;

/**
 * Lets Hudi's {@code HoodieFileGroupReader} merge Avro records. Hudi's own context for Hive merges
 * Hive's rows: it fails on dates and timestamps, and lets an obsolete delete win, because ordering
 * values of rows and deletes have different classes.
 */
final class AvroReaderContext extends HoodieReaderContext<IndexedRecord> {
  private final RecordSchemas schemas = new RecordSchemas();
  private final RecordKeys keys;
  @Nullable private final StoragePath placed;
  private final Set<String> known;

  /** Whether payloads compare ordering values with those they extract from records. */
  private boolean isByPayload;

  /** {@code placed} is the base file of {@link PlacedRecord}s that have the known fields. */
  AvroReaderContext(RecordKeys keys, @Nullable StoragePath placed, Set<String> known) {
    this.keys = keys;
    this.placed = placed;
    this.known = known;
  }

  @Override
  public ClosableIterator<IndexedRecord> getFileRecordIterator(
      StoragePath file,
      long start,
      long length,
      Schema dataSchema,
      Schema requiredSchema,
      HoodieStorage storage)
      throws IOException {
    if (!file.equals(placed)) {
      return records(file, requiredSchema, storage);
    }
    List<String> names =
        requiredSchema.getFields().stream()
            .map(Schema.Field::name)
            .filter(known::contains)
            .collect(Collectors.toList());
    return new PlacedRecords(schema -> records(file, schema, storage), requiredSchema, names);
  }

  private static ClosableIterator<IndexedRecord> records(
      StoragePath file, Schema requiredSchema, HoodieStorage storage) throws IOException {
    MessageType columns = Projections.of(ParquetRecords.schema(file, storage), requiredSchema);
    Schema readable = Promotions.storedSchema(ParquetRecords.avroSchema(columns), requiredSchema);
    ClosableIterator<IndexedRecord> records = ParquetRecords.open(file, columns, readable, storage);
    return readable.equals(requiredSchema)
        ? records
        : new CloseableMappingIterator<>(
            records, record -> Promotions.promoted(record, requiredSchema));
  }

  @Override
  public IndexedRecord convertAvroRecord(IndexedRecord record) {
    return record;
  }

  @Override
  public GenericRecord convertToAvroRecord(IndexedRecord record, Schema schema) {
    return (GenericRecord) record;
  }

  @Override
  public Option<HoodieRecordMerger> getRecordMerger(
      RecordMergeMode mode, String strategyId, String implementations) {
    switch (mode) {
      case EVENT_TIME_ORDERING:
        return Option.of(new RowMerger(true));
      case COMMIT_TIME_ORDERING:
        return Option.of(new RowMerger(false));
      default:
        isByPayload = true;
        // TableLayout has refused other strategies.
        return Option.of(HoodieAvroRecordMerger.INSTANCE);
    }
  }

  @Override
  public Object getValue(IndexedRecord record, Schema schema, String path) {
    Object value = record;
    for (String name : path.split("\\.", -1)) {
      if (!(value instanceof IndexedRecord)) {
        return null;
      }
      value = field((IndexedRecord) value, name);
    }
    return value;
  }

  @Override
  public String getRecordKey(IndexedRecord record, Schema schema) {
    return keys.of(record);
  }

  private static Object field(IndexedRecord record, String name) {
    Schema.Field field = record.getSchema().getField(name);
    return field == null ? null : record.get(field.pos());
  }

  /**
   * Of the same class as in delete blocks ({@code HoodieDeleteBlock}). Otherwise Hudi does not
   * compare the values, and the delete always wins.
   */
  @Override
  @SuppressWarnings("rawtypes")
  public Comparable getOrderingValue(
      IndexedRecord record, Schema schema, Option<String> orderingFieldName) {
    if (!orderingFieldName.isPresent()
        || getValue(record, schema, orderingFieldName.get()) == null) {
      return HoodieRecord.DEFAULT_ORDERING_VALUE;
    }
    return convertValueToEngineType(
        (Comparable)
            HoodieAvroUtils.getNestedFieldVal(
                (GenericRecord) record, orderingFieldName.get(), true, false));
  }

  /**
   * Makes text values one class: payloads ({@code PartialUpdateAvroPayload}) and Hudi's deletes
   * never consider a value of another class greater. Payloads extract Avro's class from records.
   */
  @Override
  @SuppressWarnings("rawtypes")
  public Comparable convertValueToEngineType(Comparable value) {
    if (!(value instanceof CharSequence)) {
      return value;
    }
    String text = value.toString();
    return isByPayload ? new Utf8(text) : text;
  }

  @Override
  public HoodieRecord<IndexedRecord> constructHoodieRecord(BufferedRecord<IndexedRecord> buffered) {
    HoodieKey key = new HoodieKey(buffered.getRecordKey(), null);
    return buffered.isDelete()
        ? new HoodieEmptyRecord<>(
            key,
            HoodieOperation.DELETE,
            buffered.getOrderingValue(),
            HoodieRecord.HoodieRecordType.AVRO)
        : new MergedRecord(key, buffered.getRecord(), buffered.getOrderingValue());
  }

  @Override
  public IndexedRecord seal(IndexedRecord record) {
    return record;
  }

  @Override
  public IndexedRecord toBinaryRow(Schema schema, IndexedRecord record) {
    return EncodedRecord.of(schemas, record);
  }

  @Override
  public Integer encodeAvroSchema(Schema schema) {
    return schemas.number(schema);
  }

  @Override
  public Schema getSchemaFromBufferRecord(BufferedRecord<IndexedRecord> buffered) {
    return buffered.getSchemaId() == null ? null : schemas.get(buffered.getSchemaId());
  }

  @Override
  public ClosableIterator<IndexedRecord> mergeBootstrapReaders(
      ClosableIterator<IndexedRecord> skeleton,
      Schema skeletonSchema,
      ClosableIterator<IndexedRecord> data,
      Schema dataSchema) {
    throw new UnsupportedOperationException("bootstrap tables are not supported");
  }

  /** Unchanged: fields are found by name in a record's own schema. */
  @Override
  public UnaryOperator<IndexedRecord> projectRecord(
      Schema from, Schema to, Map<String, String> renamedColumns) {
    return UnaryOperator.identity();
  }

  @Override
  public void close() {
    schemas.close(); // not the thread's cache, as the superclass does
  }
}
