// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.encoding;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Encodes and decodes values (section 1 of {@code docs/inside/formats.md}). Dates and times have no
 * zone.
 */
public final class ValueEncoding {

  private static final byte NEGATIVE = 0x00;
  private static final byte ZERO = 0x01;
  private static final byte POSITIVE = 0x02;

  /** Terminates a negative decimal's digits, so that -1.5 sorts before -1. */
  private static final byte NEGATIVE_END = (byte) 0xFF;

  /** Far beyond any Hive decimal; keeps arithmetic on damaged exponents from overflowing. */
  private static final int MAX_EXPONENT = 1_000_000;

  private static final int SIGN_BYTES = 1;
  private static final int EXPONENT_BYTES = 4;

  private ValueEncoding() {}

  public static byte[] encodeBoolean(boolean value) {
    return new byte[] {(byte) (value ? 1 : 0)};
  }

  /** Encodes a tinyint, smallint, int or bigint. */
  public static byte[] encodeInteger(long value) {
    return ByteBuffer.allocate(Long.BYTES).putLong(value ^ Long.MIN_VALUE).array();
  }

  /** Encodes a double, or a float widened to one. */
  public static byte[] encodeDouble(double value) {
    // Adding 0.0 turns -0.0 into 0.0; doubleToLongBits makes every NaN canonical.
    long bits = Double.doubleToLongBits(value + 0.0);
    return ByteBuffer.allocate(Long.BYTES)
        .putLong(bits < 0 ? ~bits : bits ^ Long.MIN_VALUE)
        .array();
  }

  public static byte[] encodeString(String value) {
    return value.getBytes(StandardCharsets.UTF_8);
  }

  /** Encodes days since 1970-01-01 in the proleptic Gregorian calendar. */
  public static byte[] encodeDate(long epochDay) {
    return encodeInteger(epochDay);
  }

  /** Encodes microseconds since 1970-01-01 00:00:00, without a zone. */
  public static byte[] encodeTimestamp(long epochMicros) {
    return encodeInteger(epochMicros);
  }

  /** Whether {@code bytes} have the form of an encoded value of this kind. */
  public static boolean isWellFormed(HiveType.Kind kind, byte[] bytes) {
    switch (kind) {
      case BOOLEAN:
        return bytes.length == 1 && (bytes[0] == 0 || bytes[0] == 1);
      case INTEGER:
      case FLOAT:
      case DATE:
      case TIMESTAMP:
        return bytes.length == Long.BYTES;
      case DECIMAL:
        return isWellFormedDecimal(bytes);
      case STRING:
        return true;
      default:
        return false;
    }
  }

  private static boolean isWellFormedDecimal(byte[] bytes) {
    if (bytes.length == 1) {
      return bytes[0] == ZERO;
    }
    boolean negative = bytes.length > 0 && bytes[0] == NEGATIVE;
    int first = SIGN_BYTES + EXPONENT_BYTES;
    int end = bytes.length - (negative ? 1 : 0);
    if (end <= first || !(negative ? bytes[end] == NEGATIVE_END : bytes[0] == POSITIVE)) {
      return false;
    }
    int exponent = exponent(bytes);
    if (exponent < -MAX_EXPONENT || exponent > MAX_EXPONENT) {
      return false;
    }
    int flip = negative ? 0xFF : 0;
    for (int i = first; i < end; i++) {
      int digit = (bytes[i] & 0xFF) ^ flip;
      boolean leadingOrTrailing = i == first || i == end - 1;
      if (digit < (leadingOrTrailing ? '1' : '0') || digit > '9') {
        return false;
      }
    }
    return true;
  }

  /** {@code bytes} must be well-formed. */
  public static boolean decodeBoolean(byte[] bytes) {
    return bytes[0] == 1;
  }

  /** The integer, days or microseconds; {@code bytes} must be well-formed. */
  public static long decodeInteger(byte[] bytes) {
    return ByteBuffer.wrap(bytes).getLong() ^ Long.MIN_VALUE;
  }

  /** {@code bytes} must be well-formed. */
  public static double decodeDouble(byte[] bytes) {
    long ordered = ByteBuffer.wrap(bytes).getLong();
    return Double.longBitsToDouble(ordered < 0 ? ordered ^ Long.MIN_VALUE : ~ordered);
  }

  /** The decimal with the least scale that holds it; {@code bytes} must be well-formed. */
  public static BigDecimal decodeDecimal(byte[] bytes) {
    if (bytes.length == 1) {
      return BigDecimal.ZERO;
    }
    byte[] positive = bytes.clone();
    boolean negative = bytes[0] == NEGATIVE;
    if (negative) {
      complement(positive);
    }
    int exponent = exponent(bytes);
    int first = SIGN_BYTES + EXPONENT_BYTES;
    int digits = positive.length - first - (negative ? 1 : 0);
    BigInteger unscaled =
        new BigInteger(new String(positive, first, digits, StandardCharsets.US_ASCII));
    BigDecimal value = new BigDecimal(unscaled, digits - exponent);
    return negative ? value.negate() : value;
  }

  /** Malformed UTF-8 decodes to U+FFFD. */
  public static String decodeString(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static int exponent(byte[] decimal) {
    int exponent = ByteBuffer.wrap(decimal).getInt(SIGN_BYTES) ^ Integer.MIN_VALUE;
    return decimal[0] == NEGATIVE ? ~exponent : exponent;
  }

  private static void complement(byte[] bytes) {
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) ~bytes[i];
    }
  }
}
