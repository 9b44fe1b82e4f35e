// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.merge;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.LogicalType;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;

/**
 * Converts timestamps that a file stores in milliseconds for a table in microseconds. Spark writes
 * such files with {@code spark.sql.parquet.outputTimestampType=TIMESTAMP_MILLIS}, and Hudi's record
 * rewriting keeps the numbers; multiplying them is exact.
 */
final class MillisecondTimestamps {
  private static final long MICROS = 1_000;

  private MillisecondTimestamps() {}

  /** Whether the file's values are converted to the table's. */
  static boolean areConverted(Schema own, Schema wanted) {
    LogicalType from = own.getLogicalType();
    LogicalType to = wanted.getLogicalType();
    return (from instanceof LogicalTypes.TimestampMillis
            && to instanceof LogicalTypes.TimestampMicros)
        || (from instanceof LogicalTypes.LocalTimestampMillis
            && to instanceof LogicalTypes.LocalTimestampMicros);
  }

  /**
   * Converts the timestamps of a record in place: it has the table's schema, and the file's
   * numbers.
   *
   * @throws ArithmeticException when a timestamp overflows
   */
  static IndexedRecord inMicros(IndexedRecord record, Schema own) {
    for (Schema.Field field : record.getSchema().getFields()) {
      Schema.Field stored = own.getField(field.name());
      Object value = record.get(field.pos());
      if (stored != null && value != null) {
        Object changed = inMicros(value, stored.schema(), field.schema());
        if (changed != value) {
          record.put(field.pos(), changed);
        }
      }
    }
    return record;
  }

  /** The same object if nothing in it changes. */
  private static Object inMicros(Object value, Schema file, Schema table) {
    Schema own = Promotions.nonNull(file);
    Schema wanted = Promotions.nonNull(table);
    if (value == null || own.equals(wanted)) {
      return value;
    }
    if (areConverted(own, wanted)) {
      return Math.multiplyExact((Long) value, MICROS);
    }
    switch (own.getType()) {
      case RECORD:
        return inMicros((IndexedRecord) value, own);
      case ARRAY:
        List<Object> elements = new ArrayList<>();
        for (Object element : (Collection<?>) value) {
          elements.add(inMicros(element, own.getElementType(), wanted.getElementType()));
        }
        return elements;
      case MAP:
        Map<Object, Object> entries = new LinkedHashMap<>();
        ((Map<?, ?>) value)
            .forEach(
                (key, entry) ->
                    entries.put(key, inMicros(entry, own.getValueType(), wanted.getValueType())));
        return entries;
      default:
        return value;
    }
  }
}
