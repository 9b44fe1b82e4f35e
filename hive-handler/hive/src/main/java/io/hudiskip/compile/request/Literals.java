// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.request;

import io.hudiskip.compile.filter.FilterTerm;
import io.hudiskip.thrift.DecimalLiteral;
import io.hudiskip.thrift.Literal;
import io.hudiskip.thrift.LiteralList;
import io.hudiskip.thrift.TimestampLiteral;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import org.apache.hadoop.hive.common.type.HiveDecimal;

/** Encodes typed constants, alone and as the list that several of one type share. */
final class Literals {
  private Literals() {}

  static Literal of(FilterTerm constant) {
    Literal literal = new Literal().setType(constant.type().getTypeName());
    Object value = constant.value();
    if (value instanceof Boolean) {
      literal.setBooleanValue((Boolean) value);
    } else if (value instanceof Long) {
      literal.setIntegerValue((Long) value);
    } else if (value instanceof Double) {
      literal.setDoubleValue((Double) value);
    } else if (value instanceof String) {
      literal.setStringValue(utf8(value));
    } else if (value instanceof HiveDecimal) {
      HiveDecimal decimal = (HiveDecimal) value;
      literal.setDecimalValue(
          new DecimalLiteral()
              .setUnscaled(decimal.unscaledValue().toByteArray())
              .setScale(decimal.scale()));
    } else if (value instanceof LocalDate) {
      literal.setDateValue(((LocalDate) value).toEpochDay());
    } else if (value instanceof Instant) {
      Instant instant = (Instant) value;
      literal.setTimestampValue(
          new TimestampLiteral().setSeconds(instant.getEpochSecond()).setNanos(instant.getNano()));
    }
    return literal;
  }

  /** Whether the constants can share a list: there are several, all of one type that lists have. */
  static boolean canShareList(List<FilterTerm> constants) {
    return constants.size() > 1
        && constants.stream().allMatch(constant -> canShareList(constants.get(0), constant));
  }

  static boolean canShareList(FilterTerm left, FilterTerm right) {
    return hasListedValue(left) && hasListedValue(right) && left.type().equals(right.type());
  }

  private static boolean hasListedValue(FilterTerm term) {
    Object value = term.value();
    return value instanceof Long
        || value instanceof Double
        || value instanceof String
        || value instanceof LocalDate;
  }

  static LiteralList list(List<FilterTerm> constants) {
    LiteralList list = new LiteralList().setType(constants.get(0).type().getTypeName());
    for (FilterTerm constant : constants) {
      Object value = constant.value();
      if (value instanceof Long) {
        list.addToIntegerValues((Long) value);
      } else if (value instanceof Double) {
        list.addToDoubleValues((Double) value);
      } else if (value instanceof String) {
        list.addToStringValues(ByteBuffer.wrap(utf8(value)));
      } else {
        list.addToDateValues(((LocalDate) value).toEpochDay());
      }
    }
    return list;
  }

  private static byte[] utf8(Object text) {
    return ((String) text).getBytes(StandardCharsets.UTF_8);
  }
}
