// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.expression.leaf;

import io.hudiskip.compile.encoding.EncodedOrder;
import io.hudiskip.compile.encoding.HiveType;
import io.hudiskip.compile.encoding.ValueEncoding;
import io.hudiskip.compile.expression.Operator;
import io.hudiskip.compile.expression.ReadColumn;
import io.hudiskip.compile.expression.TermAnswers;
import io.hudiskip.compile.statistics.ColumnStatistics;
import java.util.Arrays;

/** EQ_COLUMN, NE_COLUMN, LT_COLUMN and LTEQ_COLUMN: compares two columns of a row. */
public final class ColumnPairLeaf extends StatisticsLeaf {

  private final HiveType.Kind kind;

  /** Both columns have the same kind. */
  public ColumnPairLeaf(Operator operator, ReadColumn column, ReadColumn otherColumn) {
    super(operator, Arrays.asList(column, otherColumn));
    this.kind = column.type().kind();
  }

  /** Whether columns of two kinds can be compared: those of the same one that has an encoding. */
  public static boolean canCompare(HiveType.Kind kind, HiveType.Kind otherKind) {
    return kind == otherKind && kind != HiveType.Kind.UNENCODED;
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
      // Bounds exclude NaN, and Hive orders it in two ways: a NaN row may match anything.
      return true;
    }
    byte[] lowerA = leastShown(a.lower());
    byte[] upperB = greatestShown(b.upper());
    switch (operator()) {
      case EQ_COLUMN:
        // Otherwise all values of one column are above all values of the other.
        return Bounds.meet(lowerA, upperB)
            && Bounds.meet(leastShown(b.lower()), greatestShown(a.upper()));
      case NE_COLUMN:
        // Otherwise both columns have one and the same value. Timestamps may be shifted.
        return kind == HiveType.Kind.TIMESTAMP
            || !(Bounds.areEqual(a.lower(), a.upper())
                && Bounds.areEqual(b.lower(), b.upper())
                && Bounds.areEqual(a.lower(), b.lower()));
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

  private byte[] leastShown(byte[] lower) {
    return moved(lower, -Bounds.ZONE_SHIFT_MICROS);
  }

  private byte[] greatestShown(byte[] upper) {
    return moved(upper, Bounds.ZONE_SHIFT_MICROS);
  }

  /** The bound, moved for timestamps by as much as the reader's zone may shift a value. */
  private byte[] moved(byte[] bound, long micros) {
    if (kind != HiveType.Kind.TIMESTAMP || bound == null) {
      return bound;
    }
    long instant = ValueEncoding.decodeInteger(bound);
    long sum = instant + micros;
    // Clamps to the range of instants.
    boolean overflows = micros < 0 ? sum > instant : sum < instant;
    long end = micros < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
    return ValueEncoding.encodeTimestamp(overflows ? end : sum);
  }

  /**
   * Whether Hive also orders every value from {@code lowerA} up above every value up to {@code
   * upperB}. Hive compares strings as UTF-8 in some places and UTF-16 in others.
   */
  private boolean isOrderCertain(byte[] lowerA, byte[] upperB) {
    return kind != HiveType.Kind.STRING
        || EncodedOrder.isSameInUtf16(lowerA)
        || EncodedOrder.isSameInUtf16(upperB);
  }

  @Override
  protected String text() {
    return columns().get(0).name() + " " + operator().text() + " " + columns().get(1).name();
  }
}
