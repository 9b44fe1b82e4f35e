// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.expression.leaf;

import io.hudiskip.encoding.HiveType;
import io.hudiskip.encoding.ValueEncoding;
import io.hudiskip.expression.LiteralText;
import io.hudiskip.expression.Operator;
import io.hudiskip.expression.ReadColumn;
import io.hudiskip.expression.TermAnswers;
import io.hudiskip.statistics.ColumnStatistics;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import javax.annotation.Nullable;

/** DIFFERENCE: one integer or date less another of the same row lies in one of several ranges. */
public final class ColumnDifferenceLeaf extends StatisticsLeaf {

  /** The type as which differences are encoded. */
  public static final HiveType TYPE = HiveType.parse("bigint").orElseThrow(AssertionError::new);

  private static final long FIRST_DAY = LocalDate.of(1, 1, 1).toEpochDay();
  private static final long LAST_DAY = LocalDate.of(9999, 12, 31).toEpochDay();

  private final boolean isOfDates;
  private final List<ValueRange> ranges;

  /**
   * Creates a leaf.
   *
   * @param column an integer or a date
   * @param otherColumn of the same kind
   * @param ranges ascending and apart, encoded as {@link #TYPE}; kept, not copied
   */
  public ColumnDifferenceLeaf(ReadColumn column, ReadColumn otherColumn, List<ValueRange> ranges) {
    super(Operator.DIFFERENCE, Arrays.asList(column, otherColumn));
    this.isOfDates = column.type().kind() == HiveType.Kind.DATE;
    this.ranges = Collections.unmodifiableList(ranges);
  }

  @Override
  boolean mayBeTrue(ColumnStatistics[] statistics, TermAnswers terms) {
    ColumnStatistics a = statistics[0];
    ColumnStatistics b = statistics[1];
    if (a.isAllNull() || b.isAllNull()) {
      // The difference is NULL in every row.
      return false;
    }
    if (!isKnown(a.lower()) || !isKnown(a.upper()) || !isKnown(b.lower()) || !isKnown(b.upper())) {
      return true;
    }
    long lowerA = ValueEncoding.decodeInteger(a.lower());
    long upperA = ValueEncoding.decodeInteger(a.upper());
    long lowerB = ValueEncoding.decodeInteger(b.lower());
    long upperB = ValueEncoding.decodeInteger(b.upper());
    if (overflows(lowerA, upperB) || overflows(upperA, lowerB)) {
      // Hive's bigints wrap around.
      return true;
    }
    byte[] least = ValueEncoding.encodeInteger(lowerA - upperB);
    byte[] greatest = ValueEncoding.encodeInteger(upperA - lowerB);
    // Otherwise lower a - upper b <= a - b <= upper a - lower b in every row, which no range meets.
    return ranges.stream()
        .anyMatch(range -> !range.endsBelow(least) && !range.startsAbove(greatest));
  }

  /** Whether it is present and, for a date, in the years for which Hive's functions are known. */
  private boolean isKnown(@Nullable byte[] bound) {
    if (bound == null || !isOfDates) {
      return bound != null;
    }
    long day = ValueEncoding.decodeInteger(bound);
    return FIRST_DAY <= day && day <= LAST_DAY;
  }

  /** Whether the exact difference does not fit 64 bits: its sign is then not that of the result. */
  private static boolean overflows(long left, long right) {
    return ((left ^ right) & (left ^ (left - right))) < 0;
  }

  @Override
  protected String text() {
    String listed = LiteralText.listed(ranges, range -> range.text(TYPE));
    String difference = columns().get(0).name() + " - " + columns().get(1).name();
    return difference + " " + operator().text() + " {" + listed + "}";
  }
}
