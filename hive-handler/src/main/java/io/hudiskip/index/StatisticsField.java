/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.index;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;

/** The Parquet columns of a data file that evaluation needs. */
enum StatisticsField {
  COLUMN(PrimitiveTypeName.BINARY),
  TYPE(PrimitiveTypeName.BINARY),
  PARTITION(PrimitiveTypeName.BINARY),
  FILE_NAME(PrimitiveTypeName.BINARY),
  FILE_SIZE(PrimitiveTypeName.INT64),
  LOWER(PrimitiveTypeName.BINARY),
  UPPER(PrimitiveTypeName.BINARY),
  NULL_COUNT(PrimitiveTypeName.INT64),
  VALUE_COUNT(PrimitiveTypeName.INT64),
  NAN_COUNT(PrimitiveTypeName.INT64);

  private final PrimitiveTypeName physicalType;

  StatisticsField(PrimitiveTypeName physicalType) {
    this.physicalType = physicalType;
  }

  /** Name in the data file. */
  String fieldName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The part of a data file's schema that has these columns.
   *
   * @throws IOException when one is missing or of another type
   */
  static MessageType project(MessageType schema) throws IOException {
    List<Type> fields = new ArrayList<>();
    for (StatisticsField field : values()) {
      String name = field.fieldName();
      Type type = schema.containsField(name) ? schema.getType(name) : null;
      if (type == null
          || !type.isPrimitive()
          || type.isRepetition(Type.Repetition.REPEATED)
          || type.asPrimitiveType().getPrimitiveTypeName() != field.physicalType) {
        throw new IOException("the file has no column " + name + " of type " + field.physicalType);
      }
      fields.add(type);
    }
    return new MessageType(schema.getName(), fields);
  }
}
