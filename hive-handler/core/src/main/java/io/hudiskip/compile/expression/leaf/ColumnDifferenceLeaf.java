// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.expression.leaf;

import io.hudiskip.compile.encoding.HiveType;
import io.hudiskip.compile.encoding.ValueEncoding;
import io.hudiskip.compile.expression.LiteralText;
import io.hudiskip.compile.expression.Operator;
import io.hudiskip.compile.expression.ReadColumn;
import io.hudiskip.compile.expression.TermAnswers;
import io.hudiskip.compile.statistics.ColumnStatistics;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import javax.annotation.Nullable;

/**
 * DIFFERENCE: one integer, or the day of one date or timestamp, less another of the same row lies
 * in one of several ranges.
 */
public final class ColumnDifferenceLeaf extends StatisticsLeaf {

  /** The type as which differences are encoded. */
  public static final HiveType TYPE = HiveType.parse("bigint").orElseThrow(AssertionError::new);

  private static final Set<HiveType.Kind> MOMENTS =
      Collections.unmodifiableSet(EnumSet.of(HiveType.Kind.DATE, HiveType.Kind.TIMESTAMP));

  private static final long DAY_MICROS = 24L * 3600 * 1_000_000;
  private static final long FIRST_DAY = LocalDate.of(1, 1, 1).toEpochDay();
  private static final long LAST_DAY = LocalDate.of(9999, 12, 31).toEpochDay();

  private final List<ValueRange> ranges;

  /**
   * Creates a leaf.
   *
   * @param column an integer, a date or a timestamp
   * @param otherColumn an integer if the first is one, else a date or a timestamp
   * @param ranges ascending and apart, encoded as {@link #TYPE}; kept, not copied
   */
  public ColumnDifferenceLeaf(ReadColumn column, ReadColumn otherColumn, List<ValueRange> ranges) {
    super(Operator.DIFFERENCE, Arrays.asList(column, otherColumn));
    this.ranges = Collections.unmodifiableList(ranges);
  }

  /** Whether columns of two kinds can be subtracted: both count numbers, or both have a day. */
  public static boolean canSubtract(HiveType.Kind kind, HiveType.Kind otherKind) {
    return kind == HiveType.Kind.INTEGER
        ? otherKind == HiveType.Kind.INTEGER
        : MOMENTS.contains(kind) && MOMENTS.contains(otherKind);
  }

  @Override
  boolean mayBeTrue(ColumnStatistics[] statistics, TermAnswers terms) {
    ColumnStatistics a = statistics[0];
    ColumnStatistics b = statistics[1];
    if (a.isAllNull() || b.isAllNull()) {
      // The difference is NULL in every row.
      return false;
    }
    OptionalLong leastA = least(0, a);
    OptionalLong greatestA = greatest(0, a);
    OptionalLong leastB = least(1, b);
    OptionalLong greatestB = greatest(1, b);
    if (!leastA.isPresent()
        || !greatestA.isPresent()
        || !leastB.isPresent()
        || !greatestB.isPresent()) {
      return true;
    }
    byte[] least;
    byte[] greatest;
    try {
      least = difference(leastA, greatestB);
      greatest = difference(greatestA, leastB);
    } catch (ArithmeticException e) {
      // Hive's bigints wrap around.
      return true;
    }
    // Otherwise lower a - upper b <= a - b <= upper a - lower b in every row, which no range meets.
    return ranges.stream()
        .anyMatch(range -> !range.endsBelow(least) && !range.startsAbove(greatest));
  }

  private static byte[] difference(OptionalLong left, OptionalLong right) {
    return ValueEncoding.encodeInteger(Math.subtractExact(left.getAsLong(), right.getAsLong()));
  }

  private OptionalLong least(int column, ColumnStatistics statistics) {
    return numberOrDay(column, statistics.lower(), -Bounds.ZONE_SHIFT_MICROS);
  }

  private OptionalLong greatest(int column, ColumnStatistics statistics) {
    return numberOrDay(column, statistics.upper(), Bounds.ZONE_SHIFT_MICROS);
  }

  /** A bound as a number or day; empty if it is absent, or a day outside the years 1 to 9999. */
  private OptionalLong numberOrDay(int column, @Nullable byte[] bound, long shiftMicros) {
    if (bound == null) {
      return OptionalLong.empty();
    }
    HiveType.Kind kind = columns().get(column).type().kind();
    long value = ValueEncoding.decodeInteger(bound);
    if (kind == HiveType.Kind.INTEGER) {
      return OptionalLong.of(value);
    }
    // The wall clock that Hive shows is nearer to the instant; its day lies between those of the
    // moved bounds. A sum that wraps around is outside these years, too.
    long day =
        kind == HiveType.Kind.TIMESTAMP ? Math.floorDiv(value + shiftMicros, DAY_MICROS) : value;
    return FIRST_DAY <= day && day <= LAST_DAY ? OptionalLong.of(day) : OptionalLong.empty();
  }

  @Override
  protected String text() {
    String listed = LiteralText.listed(ranges, range -> range.text(TYPE));
    String a = columns().get(0).name();
    String b = columns().get(1).name();
    boolean isOfDays = columns().get(0).type().kind() != HiveType.Kind.INTEGER;
    String difference = isOfDays ? "datediff(" + a + ", " + b + ")" : a + " - " + b;
    return difference + " " + operator().text() + " {" + listed + "}";
  }
}
