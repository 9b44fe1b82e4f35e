// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.filter;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Optional;
import javax.annotation.Nullable;
import org.apache.hadoop.hive.common.type.Date;
import org.apache.hadoop.hive.common.type.HiveChar;
import org.apache.hadoop.hive.common.type.HiveDecimal;
import org.apache.hadoop.hive.common.type.HiveVarchar;
import org.apache.hadoop.hive.common.type.Timestamp;
import org.apache.hadoop.hive.ql.plan.ExprNodeDesc;
import org.apache.hadoop.hive.serde2.typeinfo.DecimalTypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.PrimitiveTypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfo;

/** Converts Hive's constants to typed literals, exactly or not at all. */
public final class HiveLiterals {
  private HiveLiterals() {}

  /**
   * Converts a constant of the query plan.
   *
   * @param value result of {@code ExprNodeConstantDesc.getValue()}; null is NULL
   * @return empty if the type has no literal, or the value is not of the class Hive uses for it
   */
  static Optional<FilterTerm> of(
      TypeInfo type, @Nullable Object value, @Nullable ExprNodeDesc source) {
    if (!(type instanceof PrimitiveTypeInfo)) {
      return Optional.empty();
    }
    return value == null
        ? Optional.of(FilterTerm.literal(type, null, source))
        : Optional.ofNullable(value((PrimitiveTypeInfo) type, value))
            .map(converted -> FilterTerm.literal(type, converted, source));
  }

  @Nullable
  private static Object value(PrimitiveTypeInfo type, Object value) {
    switch (type.getPrimitiveCategory()) {
      case BOOLEAN:
        return value instanceof Boolean ? value : null;
      case BYTE:
      case SHORT:
      case INT:
      case LONG:
        return isInteger(value) ? (Object) ((Number) value).longValue() : null;
      case FLOAT:
        // Hive would round a Double of type float to a float.
        return value instanceof Float ? (Object) ((Float) value).doubleValue() : null;
      case DOUBLE:
        return value instanceof Double ? value : null;
      case STRING:
        return value instanceof String ? unicode((String) value) : null;
      case VARCHAR:
        return value instanceof HiveVarchar ? unicode(((HiveVarchar) value).getValue()) : null;
      case CHAR:
        // Hive ignores a char's trailing blanks.
        return value instanceof HiveChar ? unicode(((HiveChar) value).getStrippedValue()) : null;
      case DECIMAL:
        return value instanceof HiveDecimal && fits((HiveDecimal) value, (DecimalTypeInfo) type)
            ? value
            : null;
      case DATE:
        // Hive's Date is proleptic Gregorian, so its epoch day is exact before 1582 as well.
        return value instanceof Date ? LocalDate.ofEpochDay(((Date) value).toEpochDay()) : null;
      case TIMESTAMP:
        return value instanceof Timestamp
            ? Instant.ofEpochSecond(
                ((Timestamp) value).toEpochSecond(), ((Timestamp) value).getNanos())
            : null;
      default:
        return null;
    }
  }

  /**
   * Calcite lets a constant have more digits than its type; Hive then rounds it in row mode, but
   * not in vectorised mode.
   */
  private static boolean fits(HiveDecimal value, DecimalTypeInfo type) {
    return value.equals(HiveDecimal.enforcePrecisionScale(value, type.precision(), type.scale()));
  }

  /** Whether a value is of a class that Hive has for tinyint, smallint, int or bigint. */
  public static boolean isInteger(@Nullable Object value) {
    return value instanceof Byte
        || value instanceof Short
        || value instanceof Integer
        || value instanceof Long;
  }

  /** Null for an unpaired surrogate, which has no UTF-8 form. */
  @Nullable
  public static String unicode(String value) {
    return StandardCharsets.UTF_8.newEncoder().canEncode(value) ? value : null;
  }
}
