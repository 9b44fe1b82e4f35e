// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import io.hudiskip.compile.encoding.HiveType;
import io.hudiskip.compile.encoding.ValueEncoding;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;

/** Encodes values as the vector files write them. */
public final class JsonValues {
  private JsonValues() {}

  /** The type of that name, which must be one. */
  public static HiveType type(String name) {
    return HiveType.parse(name)
        .orElseThrow(() -> new AssertionError("not understood as a Hive type: " + name));
  }

  /** Encodes a JSON value for a type. */
  public static byte[] encode(HiveType type, JsonNode value) {
    switch (type.kind()) {
      case BOOLEAN:
        return ValueEncoding.encodeBoolean(value.booleanValue());
      case INTEGER:
        return ValueEncoding.encodeInteger(
            value.isTextual() ? Long.parseLong(value.textValue()) : value.longValue());
      case FLOAT:
        return ValueEncoding.encodeDouble(
            value.isTextual() ? Double.parseDouble(value.textValue()) : value.doubleValue());
      case DECIMAL:
        return encodeDecimal(new BigDecimal(value.asText()));
      case DATE:
        return ValueEncoding.encodeDate(epochDay(value.textValue()));
      case TIMESTAMP:
        return ValueEncoding.encodeTimestamp(epochMicros(value.textValue()));
      default:
        return ValueEncoding.encodeString(value.textValue());
    }
  }

  /** Encodes a decimal, as only writers do; numerically equal values have equal bytes. */
  public static byte[] encodeDecimal(BigDecimal value) {
    if (value.signum() == 0) {
      return new byte[] {1};
    }
    BigDecimal stripped = value.stripTrailingZeros();
    byte[] digits = stripped.unscaledValue().abs().toString().getBytes(StandardCharsets.US_ASCII);
    int exponent = Math.subtractExact(digits.length, stripped.scale());
    boolean negative = value.signum() < 0;
    ByteBuffer bytes = ByteBuffer.allocate(1 + Integer.BYTES + digits.length + (negative ? 1 : 0));
    bytes.put((byte) 2).putInt(exponent ^ Integer.MIN_VALUE).put(digits);
    byte[] encoded = bytes.array();
    if (negative) {
      for (int i = 0; i < encoded.length; i++) {
        encoded[i] = (byte) ~encoded[i];
      }
      encoded[0] = 0;
      // So that -1.5 sorts before -1.
      encoded[encoded.length - 1] = (byte) 0xFF;
    }
    return encoded;
  }

  /** Unlike ISO 8601, the files write years of five digits without a sign. */
  private static long epochDay(String date) {
    return LocalDate.parse(date.matches("\\d{5,}-.*") ? "+" + date : date).toEpochDay();
  }

  private static long epochMicros(String timestamp) {
    LocalDateTime time =
        LocalDateTime.parse(timestamp.replace(' ', 'T')).truncatedTo(ChronoUnit.MICROS);
    return ChronoUnit.MICROS.between(LocalDateTime.of(1970, 1, 1, 0, 0), time);
  }
}
