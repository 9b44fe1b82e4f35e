/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import io.hudiskip.encoding.HiveType;
import io.hudiskip.encoding.ValueEncoding;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Encodes values as the vector files write them. */
public final class JsonValues {
  private static final Pattern DATE = Pattern.compile("([+-]?\\d{4,})-(\\d\\d)-(\\d\\d)");
  private static final Pattern TIMESTAMP =
      Pattern.compile("([^ ]+) (\\d\\d):(\\d\\d):(\\d\\d)(?:\\.(\\d{1,9}))?");

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
        return ValueEncoding.encodeDecimal(new BigDecimal(value.asText()));
      case DATE:
        return ValueEncoding.encodeDate(epochDay(value.textValue()));
      case TIMESTAMP:
        return ValueEncoding.encodeTimestamp(epochMicros(value.textValue()));
      default:
        return ValueEncoding.encodeString(value.textValue());
    }
  }

  private static long epochDay(String date) {
    Matcher parts = DATE.matcher(date);
    if (!parts.matches()) {
      throw new AssertionError("not a date: " + date);
    }
    return LocalDate.of(
            Integer.parseInt(parts.group(1)),
            Integer.parseInt(parts.group(2)),
            Integer.parseInt(parts.group(3)))
        .toEpochDay();
  }

  private static long epochMicros(String timestamp) {
    Matcher parts = TIMESTAMP.matcher(timestamp);
    if (!parts.matches()) {
      throw new AssertionError("not a timestamp: " + timestamp);
    }
    long seconds = epochDay(parts.group(1)) * 86_400;
    seconds += Integer.parseInt(parts.group(2)) * 3600L;
    seconds += Integer.parseInt(parts.group(3)) * 60L;
    seconds += Integer.parseInt(parts.group(4));
    String fraction = parts.group(5) == null ? "" : parts.group(5);
    long micros = Long.parseLong((fraction + "000000").substring(0, 6));
    return seconds * 1_000_000 + micros;
  }
}
