/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.evolution;

import java.util.Optional;
import javax.annotation.Nullable;
import org.apache.hadoop.hive.serde2.objectinspector.ObjectInspector.Category;
import org.apache.hadoop.hive.serde2.objectinspector.PrimitiveObjectInspector.PrimitiveCategory;
import org.apache.hadoop.hive.serde2.typeinfo.PrimitiveTypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfo;
import org.apache.parquet.schema.Type;

/** A column of the table in one of its files. Immutable. */
final class FileColumn {
  private final String name;
  private final TypeInfo table;
  @Nullable private final Type field;
  @Nullable private final TypeInfo stored;
  @Nullable private final Conversion conversion;

  /**
   * A column.
   *
   * @param table its type in the table
   * @param field what the file has for it, null for nothing
   */
  FileColumn(String name, TypeInfo table, @Nullable Type field) {
    this.name = name;
    this.table = table;
    this.field = field;
    this.stored = field == null ? null : StoredType.of(field).orElse(null);
    this.conversion = stored == null ? null : Conversions.between(stored, table);
  }

  String name() {
    return name;
  }

  /** The type as which Hive's row reader has to read it, for {@link #conversion} to do the rest. */
  TypeInfo readType() {
    return stored == null || conversion == Conversion.NONE ? table : stored;
  }

  /** What turns a value into the table's type; NONE also where the file has no such column. */
  Conversion conversion() {
    return conversion == null ? Conversion.NONE : conversion;
  }

  /** Whether the file has it in the table's type, or not at all. */
  boolean isPlain() {
    return field == null || conversion == Conversion.NONE;
  }

  /**
   * Whether Hive's vectorised reader reads it rightly, given {@link #isTextOfFloat}.
   *
   * @param paths of the fields of structs that are read, the name of the column first
   */
  boolean isVectorizable(Iterable<String> paths) {
    if (field == null) {
      return table.getCategory() == Category.PRIMITIVE;
    }
    return conversion == Conversion.NONE
        ? VectorizedTypes.contain(table, NestedProjection.below(name, paths))
        : isTextOfFloat() || isConvertedByHive();
  }

  /** Whether Hive's vectorised reader fails on the file even where the column is not read. */
  boolean isInTheWay() {
    return table.getCategory() != Category.PRIMITIVE && objection().isPresent();
  }

  /** Whether Hive's vectorised reader widens it bit by bit, where the text of the value counts. */
  boolean isTextOfFloat() {
    return is(stored, PrimitiveCategory.FLOAT) && is(table, PrimitiveCategory.DOUBLE);
  }

  /** The conversions of {@code ParquetDataColumnReaderFactory} that are those made here. */
  private boolean isConvertedByHive() {
    if (is(stored, PrimitiveCategory.INT)) {
      return is(table, PrimitiveCategory.LONG) || isFloatingPointOrText();
    }
    return is(stored, PrimitiveCategory.LONG)
        ? isFloatingPointOrText()
        : (is(stored, PrimitiveCategory.FLOAT) || is(stored, PrimitiveCategory.DOUBLE))
            && is(table, PrimitiveCategory.STRING);
  }

  private boolean isFloatingPointOrText() {
    return is(table, PrimitiveCategory.FLOAT)
        || is(table, PrimitiveCategory.DOUBLE)
        || is(table, PrimitiveCategory.STRING);
  }

  private static boolean is(@Nullable TypeInfo type, PrimitiveCategory category) {
    return type instanceof PrimitiveTypeInfo
        && ((PrimitiveTypeInfo) type).getPrimitiveCategory() == category;
  }

  /** Why it cannot be read; empty when it can. */
  Optional<String> objection() {
    return field == null || conversion != null
        ? Optional.empty()
        : Optional.of(
            "column "
                + name
                + " is "
                + (stored == null ? field : stored.getTypeName())
                + " in the file and "
                + table.getTypeName()
                + " in the table");
  }
}
