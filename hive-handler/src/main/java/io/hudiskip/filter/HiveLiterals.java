/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.filter;

import io.hudiskip.thrift.DecimalLiteral;
import io.hudiskip.thrift.Literal;
import io.hudiskip.thrift.TimestampLiteral;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import javax.annotation.Nullable;
import org.apache.hadoop.hive.common.type.Date;
import org.apache.hadoop.hive.common.type.HiveChar;
import org.apache.hadoop.hive.common.type.HiveDecimal;
import org.apache.hadoop.hive.common.type.HiveVarchar;
import org.apache.hadoop.hive.common.type.Timestamp;
import org.apache.hadoop.hive.serde2.typeinfo.PrimitiveTypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfo;

/** Hive's constants as typed literals, exactly or not at all. */
final class HiveLiterals {
  private HiveLiterals() {}

  /**
   * A constant of the query plan.
   *
   * @param type its type
   * @param value what {@code ExprNodeConstantDesc.getValue()} holds; null is NULL
   * @return empty if the type has no literal or the value is not of the class that Hive uses for it
   */
  static Optional<Literal> of(TypeInfo type, @Nullable Object value) {
    if (!(type instanceof PrimitiveTypeInfo)) {
      return Optional.empty();
    }
    Literal literal = value == null ? new Literal() : value((PrimitiveTypeInfo) type, value);
    return Optional.ofNullable(literal).map(l -> l.setType(type.getTypeName()));
  }

  @Nullable
  private static Literal value(PrimitiveTypeInfo type, Object value) {
    switch (type.getPrimitiveCategory()) {
      case BOOLEAN:
        return value instanceof Boolean ? bool((Boolean) value) : null;
      case BYTE:
      case SHORT:
      case INT:
      case LONG:
        return isWhole(value) ? integer(((Number) value).longValue()) : null;
      case FLOAT:
        // A Double under the type float would be compared as the float that Hive makes of it.
        return value instanceof Float ? real((Float) value) : null;
      case DOUBLE:
        return value instanceof Double ? real((Double) value) : null;
      case STRING:
        return value instanceof String ? string((String) value) : null;
      case VARCHAR:
        return value instanceof HiveVarchar ? string(((HiveVarchar) value).getValue()) : null;
      case CHAR:
        // Hive compares a char without trailing blanks.
        return value instanceof HiveChar ? string(((HiveChar) value).getStrippedValue()) : null;
      case DECIMAL:
        return value instanceof HiveDecimal ? decimal((HiveDecimal) value) : null;
      case DATE:
        // Hive's Date is proleptic Gregorian, so its epoch day is exact before 1582 as well.
        return value instanceof Date ? date(((Date) value).toEpochDay()) : null;
      case TIMESTAMP:
        return value instanceof Timestamp
            ? timestamp(((Timestamp) value).toEpochSecond(), ((Timestamp) value).getNanos())
            : null;
      default:
        return null;
    }
  }

  private static boolean isWhole(Object value) {
    return value instanceof Byte
        || value instanceof Short
        || value instanceof Integer
        || value instanceof Long;
  }

  static Literal bool(boolean value) {
    return new Literal().setBooleanValue(value);
  }

  static Literal integer(long value) {
    return new Literal().setIntegerValue(value);
  }

  static Literal real(double value) {
    return new Literal().setDoubleValue(value);
  }

  /** Null for text that is not Unicode: an unpaired surrogate has no UTF-8. */
  @Nullable
  static Literal string(String value) {
    try {
      ByteBuffer utf8 =
          StandardCharsets.UTF_8
              .newEncoder()
              .onMalformedInput(CodingErrorAction.REPORT)
              .onUnmappableCharacter(CodingErrorAction.REPORT)
              .encode(CharBuffer.wrap(value));
      byte[] bytes = new byte[utf8.remaining()];
      utf8.get(bytes);
      return new Literal().setStringValue(bytes);
    } catch (CharacterCodingException e) {
      return null;
    }
  }

  static Literal decimal(HiveDecimal value) {
    return new Literal()
        .setDecimalValue(
            new DecimalLiteral()
                .setUnscaled(value.unscaledValue().toByteArray())
                .setScale(value.scale()));
  }

  static Literal date(long epochDay) {
    return new Literal().setDateValue(epochDay);
  }

  static Literal timestamp(long seconds, int nanos) {
    return new Literal()
        .setTimestampValue(new TimestampLiteral().setSeconds(seconds).setNanos(nanos));
  }

  /** Whether a literal is NULL. */
  static boolean isNull(Literal literal) {
    return !(literal.isSetBooleanValue()
        || literal.isSetIntegerValue()
        || literal.isSetDoubleValue()
        || literal.isSetStringValue()
        || literal.isSetDecimalValue()
        || literal.isSetDateValue()
        || literal.isSetTimestampValue());
  }
}
