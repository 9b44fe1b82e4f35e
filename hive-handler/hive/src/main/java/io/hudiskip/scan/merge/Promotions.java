// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.merge;

import java.util.ArrayList;
import java.util.List;
import org.apache.avro.LogicalType;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;
import org.apache.hudi.avro.AvroSchemaUtils;
import org.apache.hudi.avro.HoodieAvroUtils;

/**
 * Reads base files older than the table's schema. For a type other than the file's, parquet-avro
 * fails, or widens a float to the double of the same binary value. So files are read in their own
 * types, and Hudi's record rewriting converts them, as in compaction.
 */
final class Promotions {
  private Promotions() {}

  /**
   * The schema for reading a file: {@code required}, with the file's types where they differ.
   *
   * @return {@code required} itself where no type differs
   * @throws IllegalArgumentException when the same bytes mean different values in both
   */
  static Schema storedSchema(Schema file, Schema required) {
    return required.getType() == Schema.Type.RECORD ? record(file, required, "") : required;
  }

  /**
   * Converts a record with {@link #storedSchema} to the table's types, as Hudi's compaction does.
   */
  static IndexedRecord promoted(IndexedRecord record, Schema required) {
    return HoodieAvroUtils.rewriteRecordWithNewSchema(record, required);
  }

  private static Schema record(Schema file, Schema required, String path) {
    boolean isSame = true;
    List<Schema.Field> fields = new ArrayList<>();
    for (Schema.Field field : required.getFields()) {
      Schema.Field own = file.getField(field.name());
      Schema type =
          own == null ? field.schema() : stored(own.schema(), field.schema(), path + field.name());
      isSame &= type.equals(field.schema());
      fields.add(
          new Schema.Field(
              field.name(),
              type,
              null,
              type.equals(field.schema()) ? field.defaultVal() : (Object) null));
    }
    return isSame
        ? required
        : Schema.createRecord(required.getName(), null, required.getNamespace(), false, fields);
  }

  /** The file's schema of a value where its type differs, else the required one. */
  private static Schema stored(Schema file, Schema required, String path) {
    Schema own = nonNull(file);
    Schema wanted = nonNull(required);
    if (isBytes(own) && isBytes(wanted)) {
      requireSameMeaning(own, wanted, path);
      return required;
    }
    if (areMislabelled(own, wanted)) {
      return required;
    }
    if (areMillisecondsInMicroseconds(own, wanted)) {
      return file;
    }
    if (own.getType() != wanted.getType()) {
      // Inside structs, lists and maps, Hive's base file readers widen a float to the double of the
      // same binary value, and so does parquet-avro.
      boolean isWithin =
          own.getType() == Schema.Type.FLOAT
              && wanted.getType() == Schema.Type.DOUBLE
              && path.indexOf('.') >= 0;
      return isWithin || (isText(own) && isText(wanted)) ? required : file;
    }
    requireSameMeaning(own, wanted, path);
    switch (own.getType()) {
      case RECORD:
        Schema record = record(own, wanted, path + '.');
        return record.equals(wanted) ? required : AvroSchemaUtils.createNullableSchema(record);
      case ARRAY:
        Schema element = stored(own.getElementType(), wanted.getElementType(), path + ".element");
        return element.equals(wanted.getElementType())
            ? required
            : AvroSchemaUtils.createNullableSchema(Schema.createArray(element));
      case MAP:
        Schema value = stored(own.getValueType(), wanted.getValueType(), path + ".value");
        return value.equals(wanted.getValueType())
            ? required
            : AvroSchemaUtils.createNullableSchema(Schema.createMap(value));
      default:
        return required;
    }
  }

  /**
   * Whether a timestamp is stored in milliseconds for a column in microseconds, as Spark does with
   * {@code spark.sql.parquet.outputTimestampType=TIMESTAMP_MILLIS}. Multiplying it is exact.
   */
  private static boolean areMillisecondsInMicroseconds(Schema own, Schema wanted) {
    LogicalType from = own.getLogicalType();
    LogicalType to = wanted.getLogicalType();
    return (from instanceof LogicalTypes.TimestampMillis
            && to instanceof LogicalTypes.TimestampMicros)
        || (from instanceof LogicalTypes.LocalTimestampMillis
            && to instanceof LogicalTypes.LocalTimestampMicros);
  }

  /**
   * Whether a timestamp is stored as another type although it is the number that the table wants,
   * as {@code TimestampUnits} explains.
   */
  private static boolean areMislabelled(Schema own, Schema wanted) {
    LogicalType from = own.getLogicalType();
    LogicalType to = wanted.getLogicalType();
    boolean isLocal =
        to instanceof LogicalTypes.LocalTimestampMillis
            || to instanceof LogicalTypes.LocalTimestampMicros;
    boolean areMicros =
        from instanceof LogicalTypes.TimestampMicros
            || from instanceof LogicalTypes.LocalTimestampMicros;
    boolean wantsMillis =
        to instanceof LogicalTypes.TimestampMillis
            || to instanceof LogicalTypes.LocalTimestampMillis;
    return (areMicros && wantsMillis)
        || (own.getType() == Schema.Type.LONG && from == null && isLocal);
  }

  /** A decimal, date or time must not be read as one of another meaning. */
  private static void requireSameMeaning(Schema own, Schema wanted, String path) {
    if (own.getType() != Schema.Type.STRING && !meaning(own).equals(meaning(wanted))) {
      throw new IllegalArgumentException(
          String.format(
              "column %s is %s in a file and %s in the table, and the stored type cannot be"
                  + " converted. Compact or rewrite the table, or leave the column out of the query",
              path, meaning(own), meaning(wanted)));
    }
  }

  private static String meaning(Schema schema) {
    LogicalType logical = schema.getLogicalType();
    if (logical instanceof LogicalTypes.Decimal) {
      return "a decimal of scale " + ((LogicalTypes.Decimal) logical).getScale();
    }
    String type = isBytes(schema) ? "bytes" : schema.getType().getName();
    return logical == null ? "a plain " + type : "a " + logical.getName();
  }

  private static boolean isBytes(Schema schema) {
    return schema.getType() == Schema.Type.BYTES || schema.getType() == Schema.Type.FIXED;
  }

  private static boolean isText(Schema schema) {
    return schema.getType() == Schema.Type.STRING || schema.getType() == Schema.Type.ENUM;
  }

  /** The first branch of a union that is not null; Hudi's own helper fails for a single branch. */
  static Schema nonNull(Schema schema) {
    if (schema.getType() != Schema.Type.UNION) {
      return schema;
    }
    return schema.getTypes().stream()
        .filter(branch -> branch.getType() != Schema.Type.NULL)
        .findFirst()
        .orElse(schema);
  }
}
