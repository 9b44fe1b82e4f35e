// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.merge;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import javax.annotation.Nullable;
import org.apache.avro.LogicalType;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericFixed;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.util.Utf8;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.common.type.CalendarUtils;
import org.apache.hadoop.hive.common.type.HiveDecimal;
import org.apache.hadoop.hive.conf.HiveConf;
import org.apache.hadoop.hive.ql.io.parquet.timestamp.ParquetTimestampUtils;
import org.apache.hadoop.hive.serde2.io.DateWritableV2;
import org.apache.hadoop.hive.serde2.io.DoubleWritable;
import org.apache.hadoop.hive.serde2.io.HiveDecimalWritable;
import org.apache.hadoop.hive.serde2.io.TimestampWritableV2;
import org.apache.hadoop.io.ArrayWritable;
import org.apache.hadoop.io.BooleanWritable;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.FloatWritable;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit;

/**
 * Converts Avro values to what Hive's row-by-row Parquet reader would return from a base file
 * ({@code ETypeConverter}, {@code HiveStructConverter}): a value must not change when its log is
 * compacted. Structs have all of their fields, in the order of the schema that is given, which may
 * say that a timestamp is a plain number.
 */
final class AvroWritables {
  private final boolean areDatesProleptic;

  AvroWritables(Configuration job) {
    areDatesProleptic =
        HiveConf.getBoolVar(job, HiveConf.ConfVars.HIVE_PARQUET_DATE_PROLEPTIC_GREGORIAN_DEFAULT);
  }

  Writable of(Schema schema, Object value) {
    if (value == null) {
      return null;
    }
    switch (schema.getType()) {
      case UNION:
        return of(Promotions.nonNull(schema), value);
      case BOOLEAN:
        return new BooleanWritable((Boolean) value);
      case INT:
        return ofInt(schema.getLogicalType(), (Integer) value);
      case LONG:
        return ofLong(schema.getLogicalType(), (Long) value);
      case FLOAT:
        return new FloatWritable((Float) value);
      case DOUBLE:
        return new DoubleWritable((Double) value);
      case STRING:
      case ENUM:
        return text(value);
      case BYTES:
        return ofBytes(schema.getLogicalType(), bytes((ByteBuffer) value));
      case FIXED:
        return ofBytes(schema.getLogicalType(), ((GenericFixed) value).bytes());
      case RECORD:
        return struct(schema, (IndexedRecord) value);
      case ARRAY:
        return list(schema.getElementType(), (Collection<?>) value);
      case MAP:
        return map(schema.getValueType(), (Map<?, ?>) value);
      default:
        throw new IllegalArgumentException(
            "Hive has no type for the Avro type " + schema.getType());
    }
  }

  private Writable ofInt(LogicalType logical, int value) {
    if (!(logical instanceof LogicalTypes.Date)) {
      return new IntWritable(value);
    }
    return new DateWritableV2(
        areDatesProleptic ? value : CalendarUtils.convertDateToProleptic(value));
  }

  private static Writable ofLong(LogicalType logical, long value) {
    if (logical instanceof LogicalTypes.TimestampMicros) {
      return timestamp(value, TimeUnit.MICROS, true);
    }
    if (logical instanceof LogicalTypes.TimestampMillis) {
      return timestamp(value, TimeUnit.MILLIS, true);
    }
    if (logical instanceof LogicalTypes.LocalTimestampMicros) {
      return timestamp(value, TimeUnit.MICROS, false);
    }
    if (logical instanceof LogicalTypes.LocalTimestampMillis) {
      return timestamp(value, TimeUnit.MILLIS, false);
    }
    return new LongWritable(value);
  }

  private static Writable timestamp(long value, TimeUnit unit, boolean isAdjustedToUtc) {
    return new TimestampWritableV2(
        ParquetTimestampUtils.getTimestamp(value, unit, isAdjustedToUtc));
  }

  private static Text text(Object value) {
    if (value instanceof Utf8) {
      Utf8 utf8 = (Utf8) value;
      Text text = new Text();
      text.set(utf8.getBytes(), 0, utf8.getByteLength());
      return text;
    }
    return new Text(value.toString());
  }

  private static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return bytes;
  }

  private static Writable ofBytes(LogicalType logical, byte[] bytes) {
    if (!(logical instanceof LogicalTypes.Decimal)) {
      return new BytesWritable(bytes);
    }
    int scale = ((LogicalTypes.Decimal) logical).getScale();
    return new HiveDecimalWritable(
        HiveDecimal.create(new BigDecimal(new BigInteger(bytes), scale), false));
  }

  private Writable struct(Schema schema, IndexedRecord record) {
    return new ArrayWritable(
        Writable.class,
        schema.getFields().stream().map(field -> field(field, record)).toArray(Writable[]::new));
  }

  /** The value of a field of a record; null for NULL, and if the record lacks the field. */
  @Nullable
  Writable field(Schema.Field field, IndexedRecord record) {
    Schema.Field own = record.getSchema().getField(field.name());
    return own == null ? null : of(field.schema(), record.get(own.pos()));
  }

  private Writable list(Schema element, Collection<?> elements) {
    List<Writable> values = new ArrayList<>(elements.size());
    for (Object value : elements) {
      values.add(of(element, value));
    }
    return new ArrayWritable(Writable.class, values.toArray(new Writable[0]));
  }

  private Writable map(Schema valueType, Map<?, ?> entries) {
    List<Writable> values = new ArrayList<>(entries.size());
    for (Map.Entry<?, ?> entry : entries.entrySet()) {
      values.add(
          new ArrayWritable(
              Writable.class,
              new Writable[] {text(entry.getKey()), of(valueType, entry.getValue())}));
    }
    return new ArrayWritable(Writable.class, values.toArray(new Writable[0]));
  }
}
