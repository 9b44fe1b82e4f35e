// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.encoding;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A Hive type, identified by its canonical name ({@code bigint}, {@code decimal(10,2)}, {@code
 * array<string>}).
 */
public final class HiveType {

  /** How a type's values are encoded; types of one kind share an encoding and an order. */
  public enum Kind {
    BOOLEAN,
    INTEGER,
    FLOAT,
    DECIMAL,
    STRING,
    DATE,
    TIMESTAMP,
    /** No encoding; only null counts are recorded. */
    UNENCODED
  }

  private static final int MAX_DECIMAL_PRECISION = 38;

  private static final int MAX_CHAR_LENGTH = 255;
  private static final int MAX_VARCHAR_LENGTH = 65_535;

  /** Precision of Hive's plain {@code decimal}, and scale when only a precision is given. */
  private static final String DEFAULT_PRECISION = "10";

  private static final String DEFAULT_SCALE = "0";

  private static final Pattern DECIMAL =
      Pattern.compile("decimal(?: ?\\( ?(\\d{1,5}) ?(?:, ?(\\d{1,2}) ?)?\\))?");
  private static final Pattern BOUNDED_STRING =
      Pattern.compile("(varchar|char) ?\\( ?(\\d{1,5}) ?\\)");
  private static final Pattern LOCAL_TIMESTAMP =
      Pattern.compile("(timestamp with local time zone)(?: ?\\('[^']*'\\))?");
  private static final Pattern NESTED = Pattern.compile("(array|map|struct|uniontype) ?<.+>");
  private static final Pattern BLANKS = Pattern.compile("\\s+");
  private static final Pattern BLANKS_AROUND_PUNCTUATION = Pattern.compile(" ?([<>,:()]) ?");

  private static final Map<String, HiveType> SIMPLE =
      Stream.of(
              simple("boolean", Kind.BOOLEAN),
              integer("tinyint", 1),
              integer("smallint", 2),
              integer("int", 4),
              integer("bigint", 8),
              simple("float", Kind.FLOAT),
              simple("double", Kind.FLOAT),
              simple("string", Kind.STRING),
              simple("date", Kind.DATE),
              simple("timestamp", Kind.TIMESTAMP),
              // Only of index records: a column that the table counts in milliseconds; others, of
              // which the file counts microseconds or milliseconds.
              simple("timestamp_millis", Kind.TIMESTAMP),
              simple("timestamp_from_micros", Kind.TIMESTAMP),
              simple("timestamp_from_millis", Kind.TIMESTAMP),
              simple("binary", Kind.UNENCODED),
              simple("void", Kind.UNENCODED),
              simple("interval_year_month", Kind.UNENCODED),
              simple("interval_day_time", Kind.UNENCODED))
          .collect(Collectors.toMap(HiveType::toString, Function.identity()));

  private final String name;
  private final Kind kind;

  /** Bytes of an integer type, else 0. */
  private final int width;

  /** Digits before and after the point of a decimal, else 0. */
  private final int integerDigits;

  private final int scale;

  private HiveType(String name, Kind kind, int width, int integerDigits, int scale) {
    this.name = name;
    this.kind = kind;
    this.width = width;
    this.integerDigits = integerDigits;
    this.scale = scale;
  }

  /**
   * Parses a type name, ignoring case and blanks.
   *
   * @return empty when this is no Hive type: nothing may be concluded about its values
   */
  public static Optional<HiveType> parse(String name) {
    String normal = BLANKS.matcher(name.trim().toLowerCase(Locale.ROOT)).replaceAll(" ");
    HiveType simple = SIMPLE.get(normal);
    return simple == null ? parseParameterized(normal) : Optional.of(simple);
  }

  private static Optional<HiveType> parseParameterized(String name) {
    Matcher decimal = DECIMAL.matcher(name);
    if (decimal.matches()) {
      return decimal(
          Integer.parseInt(groupOr(decimal, 1, DEFAULT_PRECISION)),
          Integer.parseInt(groupOr(decimal, 2, DEFAULT_SCALE)));
    }
    Matcher string = BOUNDED_STRING.matcher(name);
    if (string.matches()) {
      return boundedString(string.group(1), Integer.parseInt(string.group(2)));
    }
    Matcher localTimestamp = LOCAL_TIMESTAMP.matcher(name);
    if (localTimestamp.matches()) {
      return Optional.of(simple(localTimestamp.group(1), Kind.UNENCODED));
    }
    if (NESTED.matcher(name).matches()) {
      String compact = BLANKS_AROUND_PUNCTUATION.matcher(name).replaceAll("$1");
      return Optional.of(simple(compact, Kind.UNENCODED));
    }
    return Optional.empty();
  }

  private static String groupOr(Matcher matcher, int group, String absent) {
    return matcher.group(group) == null ? absent : matcher.group(group);
  }

  private static Optional<HiveType> decimal(int precision, int scale) {
    if (precision < 1 || precision > MAX_DECIMAL_PRECISION || scale > precision) {
      return Optional.empty();
    }
    String name = "decimal(" + precision + "," + scale + ")";
    return Optional.of(new HiveType(name, Kind.DECIMAL, 0, precision - scale, scale));
  }

  private static Optional<HiveType> boundedString(String base, int length) {
    int maximum = base.equals("char") ? MAX_CHAR_LENGTH : MAX_VARCHAR_LENGTH;
    return length < 1 || length > maximum
        ? Optional.empty()
        : Optional.of(simple(base + "(" + length + ")", Kind.STRING));
  }

  private static HiveType integer(String name, int width) {
    return new HiveType(name, Kind.INTEGER, width, 0, 0);
  }

  private static HiveType simple(String name, Kind kind) {
    return new HiveType(name, kind, 0, 0, 0);
  }

  public Kind kind() {
    return kind;
  }

  /** The most characters of a varchar or char; empty for other types. */
  public OptionalInt length() {
    Matcher string = BOUNDED_STRING.matcher(name);
    return string.matches()
        ? OptionalInt.of(Integer.parseInt(string.group(2)))
        : OptionalInt.empty();
  }

  /**
   * Whether every value stored as {@code stored} is the same value when read as {@code declared}.
   * If not, bounds of the stored values are not bounds of the values that Hive compares.
   */
  public static boolean readsWithoutLoss(HiveType stored, HiveType declared) {
    if (stored.equals(declared)) {
      return true;
    }
    switch (declared.kind) {
      case INTEGER:
        // A timestamp declared as bigint is the file's number, and the encoding has microseconds.
        return (stored.kind == Kind.INTEGER && stored.width <= declared.width)
            || (stored.name.equals("timestamp_from_micros") && declared.name.equals("bigint"));
      case DECIMAL:
        return stored.kind == Kind.DECIMAL
            && stored.integerDigits <= declared.integerDigits
            && stored.scale <= declared.scale;
      case STRING:
        // Leaves on varchar and char are written for the stored string, which Hive cuts on read.
        return stored.name.equals("string") && !declared.name.equals("string");
      case TIMESTAMP:
        return stored.name.startsWith("timestamp_from_") && declared.name.equals("timestamp");
      default:
        // A float read as a double becomes the double of its text (1.1, not 1.10000002384) in Spark
        // and Hudi.
        return false;
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof HiveType && name.equals(((HiveType) other).name);
  }

  @Override
  public int hashCode() {
    return name.hashCode();
  }

  @Override
  public String toString() {
    return name;
  }
}
