// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.table;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.avro.LogicalType;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.hadoop.hive.common.type.HiveDecimal;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfoFactory;

/** The Hive type as which Hive's Parquet reader reads a field of a Hudi table's Avro schema. */
final class ColumnTypes {
  /** Stops at recursive schemas; real ones are never nested this deep. */
  private static final int MAX_DEPTH = 100;

  private ColumnTypes() {}

  /**
   * The Hive type of a field.
   *
   * @param path dotted name of the field, for messages
   */
  static TypeInfo hiveType(Schema schema, String path) throws UnreadableTableException {
    return convert(schema, path, 0);
  }

  private static TypeInfo convert(Schema schema, String path, int depth)
      throws UnreadableTableException {
    if (depth > MAX_DEPTH) {
      throw unsupported(path, "a type nested deeper than " + MAX_DEPTH + " levels");
    }
    switch (schema.getType()) {
      case UNION:
        return convert(nullable(schema, path), path, depth + 1);
      case RECORD:
        requireNoLogicalType(schema, path);
        return struct(schema, path, depth);
      case ARRAY:
        return TypeInfoFactory.getListTypeInfo(
            convert(schema.getElementType(), path + ".element", depth + 1));
      case MAP:
        return TypeInfoFactory.getMapTypeInfo(
            TypeInfoFactory.stringTypeInfo,
            convert(schema.getValueType(), path + ".value", depth + 1));
      default:
        return primitive(schema, path);
    }
  }

  private static TypeInfo primitive(Schema schema, String path) throws UnreadableTableException {
    LogicalType logical = schema.getLogicalType();
    switch (schema.getType()) {
      case BOOLEAN:
        return TypeInfoFactory.booleanTypeInfo;
      case INT:
        return integer(logical, TypeInfoFactory.intTypeInfo, path);
      case LONG:
        return integer(logical, TypeInfoFactory.longTypeInfo, path);
      case FLOAT:
        return TypeInfoFactory.floatTypeInfo;
      case DOUBLE:
        return TypeInfoFactory.doubleTypeInfo;
      case STRING:
      case ENUM:
        return TypeInfoFactory.stringTypeInfo;
      case BYTES:
      case FIXED:
        if (logical instanceof LogicalTypes.Decimal) {
          return decimal((LogicalTypes.Decimal) logical, path);
        }
        requireNoLogicalType(schema, path);
        return TypeInfoFactory.binaryTypeInfo;
      default:
        throw unsupported(path, "the Avro type " + schema.getType().getName());
    }
  }

  /** Refuses Hudi's variants, vectors and blobs, which Hive would show as what stores them. */
  private static void requireNoLogicalType(Schema schema, String path)
      throws UnreadableTableException {
    String logical = schema.getProp(LogicalType.LOGICAL_TYPE_PROP);
    if (logical != null) {
      throw unsupported(path, "the logical type " + logical);
    }
  }

  private static TypeInfo integer(LogicalType logical, TypeInfo plain, String path)
      throws UnreadableTableException {
    if (logical == null) {
      return plain;
    }
    if (logical instanceof LogicalTypes.Date) {
      return TypeInfoFactory.dateTypeInfo;
    }
    if (logical instanceof LogicalTypes.TimestampMicros
        || logical instanceof LogicalTypes.TimestampMillis
        || logical instanceof LogicalTypes.LocalTimestampMicros
        || logical instanceof LogicalTypes.LocalTimestampMillis) {
      return TypeInfoFactory.timestampTypeInfo;
    }
    throw unsupported(path, "the logical type " + logical.getName());
  }

  private static TypeInfo decimal(LogicalTypes.Decimal type, String path)
      throws UnreadableTableException {
    if (type.getPrecision() > HiveDecimal.MAX_PRECISION) {
      throw unsupported(path, "a decimal of " + type.getPrecision() + " digits");
    }
    return TypeInfoFactory.getDecimalTypeInfo(type.getPrecision(), type.getScale());
  }

  private static TypeInfo struct(Schema schema, String path, int depth)
      throws UnreadableTableException {
    List<String> names = new ArrayList<>();
    List<TypeInfo> types = new ArrayList<>();
    for (Schema.Field field : schema.getFields()) {
      String name = field.name().toLowerCase(Locale.ROOT);
      if (names.contains(name)) {
        throw new UnreadableTableException(
            String.format(
                "two fields of %s differ only in case: %s. Hive ignores case in field names;"
                    + " rename one of them",
                path, field.name()));
      }
      names.add(name);
      types.add(convert(field.schema(), path + "." + field.name(), depth + 1));
    }
    return TypeInfoFactory.getStructTypeInfo(names, types);
  }

  private static Schema nullable(Schema union, String path) throws UnreadableTableException {
    Schema branch = null;
    for (Schema type : union.getTypes()) {
      if (type.getType() != Schema.Type.NULL) {
        if (branch != null) {
          throw unsupported(path, "a union of several types");
        }
        branch = type;
      }
    }
    if (branch == null) {
      throw unsupported(path, "a type with no value but NULL");
    }
    return branch;
  }

  private static UnreadableTableException unsupported(String path, String type) {
    return new UnreadableTableException(
        String.format(
            "column %s has %s, which has no Hive type. Change the column's type in the" + " writer",
            path, type));
  }
}
