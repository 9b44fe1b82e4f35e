/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.expression.leaf;

import io.hudiskip.encoding.EncodedOrder;
import io.hudiskip.encoding.HiveType;
import io.hudiskip.encoding.ValueEncoding;
import io.hudiskip.expression.ReadColumn;
import io.hudiskip.expression.TermAnswers;
import io.hudiskip.statistics.ColumnStatistics;
import io.hudiskip.thrift.ExpressionOperator;
import java.util.Arrays;

/** EQ_COLUMN, NE_COLUMN, LT_COLUMN and LTEQ_COLUMN: two columns against each other in a row. */
final class ColumnPairLeaf extends StatisticsLeaf {

  /** How far from its stored instant the zone of the reader may show a timestamp. */
  private static final long ZONE_SHIFT_MICROS = 36L * 3600 * 1_000_000;

  /** Lead byte of U+E000: from there on, UTF-8 and UTF-16 disagree on the order of characters. */
  private static final int FIRST_AMBIGUOUS_BYTE = 0xEE;

  private final HiveType.Kind kind;

  /**
   * @param column the left side
   * @param otherColumn the right side, of the same kind
   */
  ColumnPairLeaf(ExpressionOperator operator, ReadColumn column, ReadColumn otherColumn) {
    super(operator, Arrays.asList(column, otherColumn));
    this.kind = column.type().kind();
  }

  @Override
  boolean mayBeTrue(ColumnStatistics[] ranges, TermAnswers terms) {
    ColumnStatistics a = ranges[0];
    ColumnStatistics b = ranges[1];
    if (a.isAllNull() || b.isAllNull()) {
      // A comparison with NULL is NULL.
      return false;
    }
    if (kind == HiveType.Kind.FLOAT && (a.nanCount() != 0 || b.nanCount() != 0)) {
      // Bounds leave NaN out, and Hive orders it in two ways: a NaN row may match anything.
      return true;
    }
    byte[] lowerA = shownFrom(a.lower());
    byte[] upperB = shownUpTo(b.upper());
    switch (operator()) {
      case EQ_COLUMN:
        // Otherwise all values of one column are above all values of the other.
        return Bounds.meet(lowerA, upperB)
            && Bounds.meet(shownFrom(b.lower()), shownUpTo(a.upper()));
      case NE_COLUMN:
        // Otherwise both columns have one value only, the same. Instants may be shown otherwise.
        return kind == HiveType.Kind.TIMESTAMP
            || !(Bounds.areOneValue(a.lower(), a.upper())
                && Bounds.areOneValue(b.lower(), b.upper())
                && Bounds.areOneValue(a.lower(), b.lower()));
      case LT_COLUMN:
        // Otherwise a >= lower a >= upper b >= b in every row.
        return lowerA == null
            || upperB == null
            || EncodedOrder.compare(lowerA, upperB) < 0
            || !isOrderCertain(lowerA, upperB);
      case LTEQ_COLUMN:
        // Otherwise a >= lower a > upper b >= b in every row.
        return Bounds.meet(lowerA, upperB) || !isOrderCertain(lowerA, upperB);
      default:
        throw new IllegalStateException("not a comparison of columns: " + operator());
    }
  }

  private byte[] shownFrom(byte[] lower) {
    return moved(lower, -ZONE_SHIFT_MICROS);
  }

  private byte[] shownUpTo(byte[] upper) {
    return moved(upper, ZONE_SHIFT_MICROS);
  }

  private byte[] moved(byte[] bound, long micros) {
    if (kind != HiveType.Kind.TIMESTAMP || bound == null) {
      return bound;
    }
    long instant = ValueEncoding.decodeInteger(bound);
    long sum = instant + micros;
    // What would leave the range of instants stays at its end.
    boolean overflows = micros < 0 ? sum > instant : sum < instant;
    long end = micros < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
    return ValueEncoding.encodeTimestamp(overflows ? end : sum);
  }

  /**
   * Whether Hive too finds every value from {@code lowerA} on above every value up to {@code
   * upperB}. It compares strings as UTF-8 in one place and as UTF-16 in another, which agree on the
   * order against a string without bytes from EE on, and so on two strings that it lies between.
   */
  private boolean isOrderCertain(byte[] lowerA, byte[] upperB) {
    return kind != HiveType.Kind.STRING || isOrderedAlike(lowerA) || isOrderedAlike(upperB);
  }

  private static boolean isOrderedAlike(byte[] utf8) {
    for (byte b : utf8) {
      if ((b & 0xFF) >= FIRST_AMBIGUOUS_BYTE) {
        return false;
      }
    }
    return true;
  }

  @Override
  protected String text() {
    return columns().get(0).name() + " " + symbol() + " " + columns().get(1).name();
  }

  private String symbol() {
    switch (operator()) {
      case EQ_COLUMN:
        return "=";
      case NE_COLUMN:
        return "!=";
      case LT_COLUMN:
        return "<";
      default:
        return "<=";
    }
  }
}
