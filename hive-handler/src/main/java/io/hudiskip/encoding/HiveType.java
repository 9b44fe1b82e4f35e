/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.encoding;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A Hive type, known by its name as Hive writes it ({@code bigint}, {@code decimal(10,2)}, {@code
 * array<string>}).
 */
public final class HiveType {

  /** How values of a type are encoded; types of one kind share one encoding and one order. */
  public enum Kind {
    BOOLEAN,
    INTEGER,
    FLOAT,
    DECIMAL,
    STRING,
    DATE,
    TIMESTAMP,
    /** A type whose values have no encoding: only null counts are recorded for it. */
    UNENCODED
  }

  /** Hive's {@code HiveDecimal.MAX_PRECISION}. */
  private static final int MAX_DECIMAL_PRECISION = 38;

  private static final Pattern DECIMAL = Pattern.compile("decimal\\((\\d{1,3}),(\\d{1,3})\\)");
  private static final Pattern BOUNDED_STRING = Pattern.compile("(varchar|char)\\((\\d{1,5})\\)");
  private static final Pattern NESTED = Pattern.compile("(array|map|struct|uniontype)<.+>");

  private final String name;
  private final Kind kind;

  /** Bytes of an integer or floating-point type, else 0. */
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
   * The type of that name.
   *
   * @return empty when it is not the lower-case name of a Hive type: nothing may be decided about
   *     it
   */
  public static Optional<HiveType> parse(String name) {
    switch (name) {
      case "boolean":
        return simple(name, Kind.BOOLEAN, 0);
      case "tinyint":
        return simple(name, Kind.INTEGER, 1);
      case "smallint":
        return simple(name, Kind.INTEGER, 2);
      case "int":
        return simple(name, Kind.INTEGER, 4);
      case "bigint":
        return simple(name, Kind.INTEGER, 8);
      case "float":
        return simple(name, Kind.FLOAT, 4);
      case "double":
        return simple(name, Kind.FLOAT, 8);
      case "string":
        return simple(name, Kind.STRING, 0);
      case "date":
        return simple(name, Kind.DATE, 0);
      case "timestamp":
        return simple(name, Kind.TIMESTAMP, 0);
      case "binary":
      case "timestamp with local time zone":
        return simple(name, Kind.UNENCODED, 0);
      default:
        return parseParameterized(name);
    }
  }

  private static Optional<HiveType> parseParameterized(String name) {
    Matcher decimal = DECIMAL.matcher(name);
    if (decimal.matches()) {
      int precision = Integer.parseInt(decimal.group(1));
      int scale = Integer.parseInt(decimal.group(2));
      if (precision < 1 || precision > MAX_DECIMAL_PRECISION || scale > precision) {
        return Optional.empty();
      }
      return Optional.of(new HiveType(name, Kind.DECIMAL, 0, precision - scale, scale));
    }
    if (BOUNDED_STRING.matcher(name).matches()) {
      return simple(name, Kind.STRING, 0);
    }
    if (NESTED.matcher(name).matches()) {
      return simple(name, Kind.UNENCODED, 0);
    }
    return Optional.empty();
  }

  private static Optional<HiveType> simple(String name, Kind kind, int width) {
    return Optional.of(new HiveType(name, kind, width, 0, 0));
  }

  /** The encoding that values of this type have. */
  public Kind kind() {
    return kind;
  }

  /**
   * Whether every value stored with type {@code stored} is the same value when it is read as {@code
   * declared}; where not, bounds of the stored values are bounds of other values than Hive
   * compares.
   */
  public static boolean readsWithoutLoss(HiveType stored, HiveType declared) {
    if (stored.equals(declared)) {
      return true;
    }
    switch (declared.kind) {
      case INTEGER:
      case FLOAT:
        return stored.kind == declared.kind && stored.width <= declared.width;
      case DECIMAL:
        return stored.kind == Kind.DECIMAL
            && stored.integerDigits <= declared.integerDigits
            && stored.scale <= declared.scale;
      case STRING:
        // Leaves on varchar and char are written for the stored string, which Hive cuts when it
        // reads.
        return stored.name.equals("string") && !declared.name.equals("string");
      default:
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

  /** The type's name as Hive writes it. */
  @Override
  public String toString() {
    return name;
  }
}
