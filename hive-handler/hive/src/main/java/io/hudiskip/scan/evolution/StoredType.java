// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.evolution;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.hadoop.hive.common.type.HiveDecimal;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfoFactory;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DateLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DecimalLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.EnumLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.IntLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.ListLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.MapKeyValueTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.MapLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.StringLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimestampLogicalTypeAnnotation;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.Type;

/** The Hive type as which a Parquet field can be read without conversion. */
final class StoredType {
  private StoredType() {}

  /** Empty when no type is known to be right. */
  static Optional<TypeInfo> of(Type field) {
    return Optional.ofNullable(
        field.isPrimitive() ? primitive(field.asPrimitiveType()) : group(field.asGroupType()));
  }

  private static TypeInfo primitive(PrimitiveType field) {
    LogicalTypeAnnotation logical = field.getLogicalTypeAnnotation();
    if (logical instanceof DecimalLogicalTypeAnnotation) {
      return decimal((DecimalLogicalTypeAnnotation) logical);
    }
    switch (field.getPrimitiveTypeName()) {
      case BOOLEAN:
        return logical == null ? TypeInfoFactory.booleanTypeInfo : null;
      case INT32:
        if (logical instanceof DateLogicalTypeAnnotation) {
          return TypeInfoFactory.dateTypeInfo;
        }
        return isPlain(logical) ? TypeInfoFactory.intTypeInfo : null;
      case INT64:
        if (logical instanceof TimestampLogicalTypeAnnotation) {
          // Hudi has no type for nanoseconds, so they are not the table's values.
          return ((TimestampLogicalTypeAnnotation) logical).getUnit() == TimeUnit.NANOS
              ? null
              : TypeInfoFactory.timestampTypeInfo;
        }
        return isPlain(logical) ? TypeInfoFactory.longTypeInfo : null;
      case INT96:
        return TypeInfoFactory.timestampTypeInfo;
      case FLOAT:
        return logical == null ? TypeInfoFactory.floatTypeInfo : null;
      case DOUBLE:
        return logical == null ? TypeInfoFactory.doubleTypeInfo : null;
      case BINARY:
        if (logical instanceof StringLogicalTypeAnnotation
            || logical instanceof EnumLogicalTypeAnnotation) {
          return TypeInfoFactory.stringTypeInfo;
        }
        return logical == null ? TypeInfoFactory.binaryTypeInfo : null;
      case FIXED_LEN_BYTE_ARRAY:
        return logical == null ? TypeInfoFactory.binaryTypeInfo : null;
      default:
        return null;
    }
  }

  /** Whether the values are numbers of the physical type, or of a smaller signed one. */
  private static boolean isPlain(LogicalTypeAnnotation logical) {
    return logical == null
        || (logical instanceof IntLogicalTypeAnnotation
            && ((IntLogicalTypeAnnotation) logical).isSigned());
  }

  private static TypeInfo decimal(DecimalLogicalTypeAnnotation type) {
    return type.getPrecision() > HiveDecimal.MAX_PRECISION
        ? null
        : TypeInfoFactory.getDecimalTypeInfo(type.getPrecision(), type.getScale());
  }

  private static TypeInfo group(GroupType field) {
    LogicalTypeAnnotation logical = field.getLogicalTypeAnnotation();
    if (logical instanceof ListLogicalTypeAnnotation) {
      return of(element(field)).map(TypeInfoFactory::getListTypeInfo).orElse(null);
    }
    if (isMap(logical)) {
      GroupType entry = field.getType(0).asGroupType();
      Optional<TypeInfo> key = of(entry.getType(0));
      Optional<TypeInfo> value = of(entry.getType(1));
      return key.isPresent() && value.isPresent()
          ? TypeInfoFactory.getMapTypeInfo(key.get(), value.get())
          : null;
    }
    return struct(field);
  }

  static boolean isMap(LogicalTypeAnnotation logical) {
    return logical instanceof MapLogicalTypeAnnotation
        || logical instanceof MapKeyValueTypeAnnotation;
  }

  /** Finds a list's element like Hive ({@code HiveCollectionConverter}). */
  static Type element(GroupType list) {
    Type repeated = list.getType(0);
    boolean isElement =
        repeated.isPrimitive()
            || repeated.asGroupType().getFieldCount() > 1
            || repeated.getName().equals("array")
            || repeated.getName().equals(list.getName() + "_tuple");
    return isElement ? repeated : repeated.asGroupType().getType(0);
  }

  private static TypeInfo struct(GroupType group) {
    List<String> names = new ArrayList<>();
    List<TypeInfo> types = new ArrayList<>();
    for (Type field : group.getFields()) {
      Optional<TypeInfo> type = of(field);
      String name = field.getName().toLowerCase(Locale.ROOT);
      if (!type.isPresent() || names.contains(name)) {
        return null;
      }
      names.add(name);
      types.add(type.get());
    }
    return TypeInfoFactory.getStructTypeInfo(names, types);
  }
}
