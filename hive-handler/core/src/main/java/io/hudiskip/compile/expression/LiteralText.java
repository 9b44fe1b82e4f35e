// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.expression;

import io.hudiskip.compile.encoding.HiveType;
import io.hudiskip.compile.encoding.ValueEncoding;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Encoded values as a person would type them, matching the Python command line's output. */
public final class LiteralText {
  private static final int MAX_LISTED = 5;
  private static final int MAX_STRING_LENGTH = 80;
  private static final int MAX_PLAIN_SCALE = 64;
  private static final int MAX_UTF8_BYTES = 4;
  private static final long MICROS_PER_SECOND = 1_000_000;
  private static final long MIN_DAY = LocalDate.of(1, 1, 1).toEpochDay();
  private static final long MAX_DAY = LocalDate.of(9999, 12, 31).toEpochDay();
  private static final long SECONDS_PER_DAY = 86_400;
  private static final DateTimeFormatter SECONDS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT);

  private LiteralText() {}

  /** A well-formed value or a bound. */
  public static String of(HiveType type, byte[] value) {
    switch (type.kind()) {
      case BOOLEAN:
        return String.valueOf(ValueEncoding.decodeBoolean(value));
      case INTEGER:
        return String.valueOf(ValueEncoding.decodeInteger(value));
      case FLOAT:
        return number(ValueEncoding.decodeDouble(value));
      case DECIMAL:
        return decimal(ValueEncoding.decodeDecimal(value));
      case DATE:
        return date(ValueEncoding.decodeInteger(value));
      case TIMESTAMP:
        return timestamp(ValueEncoding.decodeInteger(value));
      default:
        return string(value);
    }
  }

  /** The first few items, and how many more there are. */
  public static <T> String listed(List<T> things, Function<T, String> text) {
    int more = things.size() - MAX_LISTED;
    return things.stream().limit(MAX_LISTED).map(text).collect(Collectors.joining(", "))
        + (more > 0 ? ", … " + more + " more" : "");
  }

  /** At most {@code length} characters, an ellipsis included when the text is cut. */
  static String cut(String text, int length) {
    return text.codePointCount(0, text.length()) <= length
        ? text
        : text.substring(0, text.offsetByCodePoints(0, length - 1)) + "…";
  }

  /**
   * The shortest digits that read back as this double; scientific notation avoids long runs of
   * zeros.
   */
  private static String number(double value) {
    if (Double.isNaN(value)) {
      return "nan";
    }
    if (Double.isInfinite(value)) {
      return value > 0 ? "inf" : "-inf";
    }
    if (value == 0) {
      return "0.0";
    }
    BigDecimal shortest = shortest(value);
    String digits = shortest.unscaledValue().abs().toString();
    int exponent = digits.length() - shortest.scale() - 1;
    if (exponent >= -4 && exponent < 16) {
      String plain = shortest.toPlainString();
      return plain.indexOf('.') < 0 ? plain + ".0" : plain;
    }
    String fraction = digits.length() == 1 ? "" : "." + digits.substring(1);
    return String.format(
        Locale.ROOT,
        "%s%s%se%s%02d",
        value < 0 ? "-" : "",
        digits.charAt(0),
        fraction,
        exponent < 0 ? "-" : "+",
        Math.abs(exponent));
  }

  private static BigDecimal shortest(double value) {
    BigDecimal exact = new BigDecimal(value);
    int precision = 1;
    while (exact.round(new MathContext(precision)).doubleValue() != value) {
      precision++;
    }
    return exact.round(new MathContext(precision)).stripTrailingZeros();
  }

  private static String decimal(BigDecimal value) {
    // Plain notation where it is short: 1E+3 becomes 1000, but 1E+900000 stays.
    return Math.abs((long) value.scale()) <= MAX_PLAIN_SCALE
        ? value.toPlainString()
        : value.toString();
  }

  private static String date(long epochDay) {
    return epochDay < MIN_DAY || epochDay > MAX_DAY
        ? epochDay + " days"
        : "'" + LocalDate.ofEpochDay(epochDay) + "'";
  }

  private static String timestamp(long epochMicros) {
    long seconds = Math.floorDiv(epochMicros, MICROS_PER_SECOND);
    long day = Math.floorDiv(seconds, SECONDS_PER_DAY);
    if (day < MIN_DAY || day > MAX_DAY) {
      return epochMicros + " microseconds";
    }
    long micros = Math.floorMod(epochMicros, MICROS_PER_SECOND);
    String fraction = micros == 0 ? "" : String.format(Locale.ROOT, ".%06d", micros);
    return "'"
        + SECONDS.format(LocalDateTime.ofEpochSecond(seconds, 0, ZoneOffset.UTC))
        + fraction
        + "'";
  }

  private static String string(byte[] utf8) {
    // The rest would not be shown.
    int enough = MAX_UTF8_BYTES * (MAX_STRING_LENGTH + MAX_UTF8_BYTES);
    String text = decoded(utf8.length <= enough ? utf8 : Arrays.copyOf(utf8, enough));
    return "'" + cut(text, MAX_STRING_LENGTH).replace("\\", "\\\\").replace("'", "\\'") + "'";
  }

  /** A bound may be cut inside a character; its remaining bytes are shown in hex. */
  private static String decoded(byte[] utf8) {
    CharsetDecoder decoder =
        StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);
    ByteBuffer in = ByteBuffer.wrap(utf8);
    StringBuilder text = new StringBuilder();
    CharBuffer chunk = CharBuffer.allocate(utf8.length + 1);
    while (true) {
      CoderResult result = decoder.decode(in, chunk, true);
      chunk.flip();
      text.append(chunk);
      chunk.clear();
      if (!result.isError()) {
        return text.toString();
      }
      for (int i = 0; i < result.length(); i++) {
        text.append(String.format(Locale.ROOT, "\\x%02x", in.get() & 0xFF));
      }
      decoder.reset();
    }
  }
}
