// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.evolution;

import java.util.List;
import javax.annotation.Nullable;
import org.apache.hadoop.hive.serde2.io.DoubleWritable;
import org.apache.hadoop.hive.serde2.typeinfo.ListTypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.MapTypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.PrimitiveTypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.StructTypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfoFactory;
import org.apache.hadoop.io.ArrayWritable;
import org.apache.hadoop.io.FloatWritable;
import org.apache.hadoop.io.Writable;

/**
 * Converts values of any type, as Hive's row reader represents them: structs, lists, maps and map
 * entries are {@link ArrayWritable}s.
 */
final class Conversions {
  private Conversions() {}

  /**
   * The conversion from a stored type to the table's. Struct fields match by name: those missing in
   * the file are NULL, those the table has dropped are left out.
   *
   * @return {@link Conversion#NONE} for the identity, null when there is no conversion
   */
  @Nullable
  static Conversion between(TypeInfo stored, TypeInfo table) {
    if (stored.getCategory() != table.getCategory()) {
      return null;
    }
    switch (table.getCategory()) {
      case PRIMITIVE:
        return PrimitiveConversions.between((PrimitiveTypeInfo) stored, (PrimitiveTypeInfo) table);
      case STRUCT:
        return struct((StructTypeInfo) stored, (StructTypeInfo) table);
      case LIST:
        return list(
            within(
                ((ListTypeInfo) stored).getListElementTypeInfo(),
                ((ListTypeInfo) table).getListElementTypeInfo()));
      case MAP:
        MapTypeInfo from = (MapTypeInfo) stored;
        MapTypeInfo to = (MapTypeInfo) table;
        return map(
            within(from.getMapKeyTypeInfo(), to.getMapKeyTypeInfo()),
            within(from.getMapValueTypeInfo(), to.getMapValueTypeInfo()));
      default:
        return null;
    }
  }

  /**
   * The conversion of a struct field, list element or map entry. There, unlike in a top-level
   * column, Spark widens a float bit by bit.
   */
  @Nullable
  private static Conversion within(TypeInfo stored, TypeInfo table) {
    return stored.equals(TypeInfoFactory.floatTypeInfo)
            && table.equals(TypeInfoFactory.doubleTypeInfo)
        ? value -> new DoubleWritable(((FloatWritable) value).get())
        : between(stored, table);
  }

  @Nullable
  private static Conversion struct(StructTypeInfo stored, StructTypeInfo table) {
    List<String> names = table.getAllStructFieldNames();
    int[] positions = new int[names.size()];
    Conversion[] fields = new Conversion[names.size()];
    boolean same = stored.getAllStructFieldNames().equals(names);
    for (int i = 0; i < positions.length; i++) {
      positions[i] = stored.getAllStructFieldNames().indexOf(names.get(i));
      if (positions[i] >= 0) {
        fields[i] =
            within(
                stored.getAllStructFieldTypeInfos().get(positions[i]),
                table.getAllStructFieldTypeInfos().get(i));
        if (fields[i] == null) {
          return null;
        }
        same &= fields[i] == Conversion.NONE;
      }
    }
    return same
        ? Conversion.NONE
        : value -> {
          Writable[] from = ((ArrayWritable) value).get();
          Writable[] to = new Writable[positions.length];
          for (int i = 0; i < positions.length; i++) {
            to[i] = positions[i] < 0 ? null : fields[i].applyToNullable(from[positions[i]]);
          }
          return new ArrayWritable(Writable.class, to);
        };
  }

  @Nullable
  private static Conversion list(@Nullable Conversion element) {
    if (element == null || element == Conversion.NONE) {
      return element;
    }
    return value -> {
      Writable[] from = ((ArrayWritable) value).get();
      Writable[] to = new Writable[from.length];
      for (int i = 0; i < from.length; i++) {
        to[i] = element.applyToNullable(from[i]);
      }
      return new ArrayWritable(Writable.class, to);
    };
  }

  @Nullable
  private static Conversion map(@Nullable Conversion key, @Nullable Conversion value) {
    if (key == null || value == null) {
      return null;
    }
    if (key == Conversion.NONE && value == Conversion.NONE) {
      return Conversion.NONE;
    }
    return list(
        entry -> {
          Writable[] from = ((ArrayWritable) entry).get();
          return new ArrayWritable(
              Writable.class,
              new Writable[] {key.applyToNullable(from[0]), value.applyToNullable(from[1])});
        });
  }
}
