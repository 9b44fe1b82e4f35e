/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.index;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;

/** The Parquet columns of a data file that evaluation needs. */
enum StatisticsField {
  COLUMN(PrimitiveTypeName.BINARY),
  FILE(PrimitiveTypeName.INT32),
  TYPE(PrimitiveTypeName.BINARY),
  LOWER(PrimitiveTypeName.BINARY),
  UPPER(PrimitiveTypeName.BINARY),
  NULL_COUNT(PrimitiveTypeName.INT64),
  NAN_COUNT(PrimitiveTypeName.INT64),
  CONTENT(PrimitiveTypeName.BINARY),
  PARTITION(PrimitiveTypeName.BINARY),
  FILE_NAME(PrimitiveTypeName.BINARY),
  FILE_SIZE(PrimitiveTypeName.INT64),
  VALUE_COUNT(PrimitiveTypeName.INT64);

  private static final Map<RecordKind, List<StatisticsField>> OF_KIND = byKind();

  private final PrimitiveTypeName physicalType;

  StatisticsField(PrimitiveTypeName physicalType) {
    this.physicalType = physicalType;
  }

  private static Map<RecordKind, List<StatisticsField>> byKind() {
    Map<RecordKind, List<StatisticsField>> fields = new EnumMap<>(RecordKind.class);
    fields.put(RecordKind.FILES, Arrays.asList(FILE, PARTITION, FILE_NAME, FILE_SIZE, VALUE_COUNT));
    fields.put(
        RecordKind.RANGE, Arrays.asList(COLUMN, FILE, TYPE, LOWER, UPPER, NULL_COUNT, NAN_COUNT));
    fields.put(RecordKind.BLOOM, Arrays.asList(COLUMN, FILE, TYPE, CONTENT));
    fields.put(RecordKind.VALUES, Arrays.asList(COLUMN, FILE, TYPE, CONTENT));
    return Collections.unmodifiableMap(fields);
  }

  /** Name in the data file. */
  String fieldName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The part of a data file's schema that has the columns of a kind of record.
   *
   * @throws IOException when one is missing or of another type
   */
  static MessageType project(MessageType schema, RecordKind kind) throws IOException {
    List<Type> fields = new ArrayList<>();
    for (StatisticsField field : OF_KIND.get(kind)) {
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
