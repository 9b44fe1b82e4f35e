// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.index.parquet;

import java.util.Locale;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type.Repetition;

/** The Parquet columns of a data file that evaluation reads. */
public enum StatisticsField {
  COLUMN(1, PrimitiveTypeName.BINARY, Repetition.REQUIRED),
  FILE(2, PrimitiveTypeName.INT32, Repetition.REQUIRED),
  TYPE(3, PrimitiveTypeName.BINARY, Repetition.OPTIONAL),
  LOWER(4, PrimitiveTypeName.BINARY, Repetition.OPTIONAL),
  UPPER(5, PrimitiveTypeName.BINARY, Repetition.OPTIONAL),
  NULL_COUNT(6, PrimitiveTypeName.INT64, Repetition.OPTIONAL),
  NAN_COUNT(7, PrimitiveTypeName.INT64, Repetition.OPTIONAL),
  CONTENT(9, PrimitiveTypeName.BINARY, Repetition.OPTIONAL),
  PARTITION(10, PrimitiveTypeName.BINARY, Repetition.OPTIONAL),
  FILE_NAME(11, PrimitiveTypeName.BINARY, Repetition.OPTIONAL),
  FILE_SIZE(14, PrimitiveTypeName.INT64, Repetition.OPTIONAL),
  VALUE_COUNT(15, PrimitiveTypeName.INT64, Repetition.OPTIONAL);

  /** Number of columns of a data file, including those not read. */
  public static final int COLUMNS = 16;

  private final int position;
  private final PrimitiveTypeName type;
  private final Repetition repetition;

  StatisticsField(int position, PrimitiveTypeName type, Repetition repetition) {
    this.position = position;
    this.type = type;
    this.repetition = repetition;
  }

  String fieldName() {
    return name().toLowerCase(Locale.ROOT);
  }

  public int position() {
    return position;
  }

  ColumnDescriptor descriptor() {
    return new ColumnDescriptor(
        new String[] {fieldName()},
        new PrimitiveType(repetition, type, fieldName()),
        0,
        repetition == Repetition.OPTIONAL ? 1 : 0);
  }
}
