// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.evolution;

import java.util.Optional;
import javax.annotation.Nullable;
import org.apache.hadoop.hive.serde2.objectinspector.ObjectInspector.Category;
import org.apache.hadoop.hive.serde2.objectinspector.PrimitiveObjectInspector.PrimitiveCategory;
import org.apache.hadoop.hive.serde2.typeinfo.PrimitiveTypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfo;
import org.apache.parquet.schema.Type;

/** A table column in one of the table's files. Immutable. */
final class FileColumn {
  private final String name;
  private final TypeInfo table;
  @Nullable private final Type field;
  @Nullable private final TypeInfo stored;
  @Nullable private final Conversion conversion;

  /**
   * {@code table} is the column's type in the table, {@code field} its counterpart in the file, or
   * null if there is none.
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

  /** The type for Hive's row reader; {@link #conversion} does the rest. */
  TypeInfo readType() {
    return stored == null || conversion == Conversion.NONE ? table : stored;
  }

  /** Converts values to the table's type; NONE also where the file lacks the column. */
  Conversion conversion() {
    return conversion == null ? Conversion.NONE : conversion;
  }

  /** Whether the file lacks the column, or has it in the table's type. */
  boolean isPlain() {
    return field == null || conversion == Conversion.NONE;
  }

  /**
   * Whether Hive's vectorised reader reads the column correctly, given {@link #isWidenedFloat}.
   *
   * @param paths of the struct fields that are read, starting with the column's name
   */
  boolean isVectorizable(Iterable<String> paths) {
    if (field == null) {
      return table.getCategory() == Category.PRIMITIVE;
    }
    return conversion == Conversion.NONE
        ? VectorizedTypes.contain(table, NestedProjection.below(name, paths))
        : conversion != null && isNumberConvertedByHive();
  }

  /** Whether both of Hive's readers return the same values: only one strips blanks of a char. */
  boolean isReadAlike() {
    return table.getCategory() == Category.PRIMITIVE
        && !is(table, PrimitiveCategory.CHAR)
        && !is(table, PrimitiveCategory.VARCHAR);
  }

  /** Whether Hive's vectorised reader fails on the file even if the column is not read. */
  boolean blocksVectorization() {
    return table.getCategory() != Category.PRIMITIVE && objection().isPresent();
  }

  /**
   * Whether Hive's vectorised reader widens the column bit by bit, where its text decides the
   * value.
   */
  boolean isWidenedFloat() {
    return is(stored, PrimitiveCategory.FLOAT) && is(table, PrimitiveCategory.DOUBLE);
  }

  /** Of all conversions, those on which {@code ParquetDataColumnReaderFactory} agrees. */
  private boolean isNumberConvertedByHive() {
    return is(table, PrimitiveCategory.LONG)
        || is(table, PrimitiveCategory.FLOAT)
        || is(table, PrimitiveCategory.DOUBLE)
        || (is(table, PrimitiveCategory.STRING) && !is(stored, PrimitiveCategory.BINARY));
  }

  private static boolean is(@Nullable TypeInfo type, PrimitiveCategory category) {
    return type instanceof PrimitiveTypeInfo
        && ((PrimitiveTypeInfo) type).getPrimitiveCategory() == category;
  }

  private boolean isMoment() {
    return is(stored, PrimitiveCategory.TIMESTAMP) && is(table, PrimitiveCategory.LONG);
  }

  /** Why the column cannot be read; empty when it can. */
  Optional<String> objection() {
    return field == null || conversion != null
        ? Optional.empty()
        : Optional.of(
            "column "
                + name
                + " is "
                + (stored == null || isMoment() ? field : stored.getTypeName())
                + " in the file and "
                + table.getTypeName()
                + " in the table"
                + (isMoment() ? ", which a column list may declare as timestamp" : ""));
  }
}
