// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.merge;

import io.hudiskip.table.RecordKeys;
import java.io.Closeable;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import javax.annotation.Nullable;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.util.Utf8;
import org.apache.hudi.avro.AvroRecordContext;
import org.apache.hudi.avro.HoodieAvroUtils;
import org.apache.hudi.common.model.HoodieRecord;
import org.apache.hudi.common.schema.HoodieSchema;
import org.apache.hudi.common.table.HoodieTableConfig;
import org.apache.hudi.common.util.OrderingValues;

/** What Hudi's merging does with single records of a slice. */
final class SliceRecords extends AvroRecordContext implements Closeable {
  private static final long serialVersionUID = 1L;
  private static final long MICROS_PER_MILLI = 1_000;

  private final transient RecordSchemas schemas = new RecordSchemas();
  private final transient RecordKeys keys;

  /** Whether payloads compare ordering values with those they extract from records. */
  private boolean isByPayload;

  /** Whether a timestamp that orders records is a number of milliseconds, not of microseconds. */
  private final boolean isInMillis;

  SliceRecords(HoodieTableConfig table, Schema schema) {
    super(table, table.getPayloadClass());
    this.keys = RecordKeys.of(table);
    this.isInMillis = table.getOrderingFields().stream().anyMatch(name -> isInMillis(schema, name));
  }

  private static boolean isInMillis(Schema schema, String name) {
    Schema.Field field = schema.getField(name);
    return field != null
        && Promotions.nonNull(field.schema()).getLogicalType()
            instanceof LogicalTypes.TimestampMillis;
  }

  void mergeByPayload() {
    isByPayload = true;
  }

  @Override
  public Object getValue(IndexedRecord record, HoodieSchema schema, String path) {
    Object value = record;
    for (String name : path.split("\\.", -1)) {
      if (!(value instanceof IndexedRecord)) {
        return null;
      }
      value = field((IndexedRecord) value, name);
    }
    return value;
  }

  /** The value of a field; null if the record does not have the field. */
  static Object field(IndexedRecord record, String name) {
    Schema.Field field = record.getSchema().getField(name);
    return field == null ? null : record.get(field.pos());
  }

  /**
   * The change that a log record stands for, null if it does not say. Hudi requests no other of its
   * columns this way, and its positions are those of the reader's schema, which records need not
   * have.
   */
  @Override
  @Nullable
  public String getMetaFieldValue(IndexedRecord record, int position) {
    Object operation = field(record, HoodieRecord.OPERATION_METADATA_FIELD);
    return operation == null ? null : operation.toString();
  }

  @Override
  public String getRecordKey(IndexedRecord record, HoodieSchema schema) {
    return keys.of(field -> RecordRows.text(record, field));
  }

  @Override
  @SuppressWarnings("rawtypes")
  public Comparable getOrderingValue(
      IndexedRecord record, HoodieSchema schema, String[] orderingFields) {
    return getOrderingValue(record, schema, Arrays.asList(orderingFields));
  }

  /**
   * Of the same class as in delete blocks ({@code HoodieDeleteBlock}). Otherwise Hudi does not
   * compare the values, and the delete always wins.
   */
  @Override
  @SuppressWarnings("rawtypes")
  public Comparable getOrderingValue(
      IndexedRecord record, HoodieSchema schema, List<String> orderingFields) {
    return OrderingValues.create(
        orderingFields,
        field ->
            getValue(record, schema, field) == null
                ? OrderingValues.getDefault()
                : convertValueToEngineType(
                    (Comparable)
                        HoodieAvroUtils.getNestedFieldVal(
                            (GenericRecord) record, field, true, false)));
  }

  /**
   * Makes values of one type one class: payloads ({@code PartialUpdateAvroPayload}) and Hudi's
   * deletes never consider a value of another class greater. Payloads extract Avro's class from
   * records. Delete blocks have days and timestamps as numbers or as Java's classes, by the options
   * of their writer.
   */
  @Override
  @SuppressWarnings({"rawtypes", "JdkObsolete"}) // Hudi unwraps to java.sql
  public Comparable convertValueToEngineType(Comparable value) {
    if (value instanceof CharSequence) {
      String text = value.toString();
      return isByPayload ? new Utf8(text) : text;
    }
    if (isByPayload) {
      return value;
    }
    if (value instanceof java.sql.Date) {
      return (int) ((java.sql.Date) value).toLocalDate().toEpochDay();
    }
    if (value instanceof LocalDate) {
      return (int) ((LocalDate) value).toEpochDay();
    }
    if (value instanceof Timestamp) {
      return ChronoUnit.MICROS.between(Instant.EPOCH, ((Timestamp) value).toInstant())
          / (isInMillis ? MICROS_PER_MILLI : 1);
    }
    return value;
  }

  @Override
  public IndexedRecord toBinaryRow(HoodieSchema schema, IndexedRecord record) {
    return EncodedRecord.of(schemas, record);
  }

  @Override
  public Integer encodeSchema(HoodieSchema schema) {
    return schemas.number(schema.toAvroSchema());
  }

  @Override
  public HoodieSchema decodeAvroSchema(Object number) {
    return number == null ? null : schemas.get((Integer) number);
  }

  /** Unchanged: fields are found by name in a record's own schema. */
  @Override
  public UnaryOperator<IndexedRecord> projectRecord(
      HoodieSchema from, HoodieSchema to, Map<String, String> renamedColumns) {
    return UnaryOperator.identity();
  }

  @Override
  public void close() {
    schemas.close();
  }
}
