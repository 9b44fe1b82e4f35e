// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.expression.leaf;

import io.hudiskip.encoding.EncodedOrder;
import io.hudiskip.expression.LiteralText;
import io.hudiskip.expression.Operator;
import io.hudiskip.expression.ReadColumn;
import java.util.function.Predicate;

/** EQ, NE, LT, LTEQ, GT and GTEQ: compares a column with one literal. */
public final class ComparisonLeaf extends ValueLeaf {
  private final byte[] value;

  /** {@code value} is encoded for the column's type; kept, not copied. */
  public ComparisonLeaf(Operator operator, ReadColumn column, byte[] value) {
    super(operator, column);
    this.value = value;
  }

  /** Encoded; must not be changed. */
  public byte[] value() {
    return value;
  }

  @Override
  boolean mayHold(byte[] lower, byte[] upper, Predicate<byte[]> isPossible) {
    switch (operator()) {
      case EQ:
        // Otherwise every value lies in [lower, upper] and v does not, or the file lacks v.
        return Bounds.isAtLeast(value, lower)
            && Bounds.isAtMost(value, upper)
            && isPossible.test(value);
      case NE:
        // Otherwise every value is v.
        return !(Bounds.areEqual(lower, upper) && EncodedOrder.compare(lower, value) == 0);
      case LT:
        // Otherwise every value is >= lower >= v.
        return lower == null || EncodedOrder.compare(lower, value) < 0;
      case LTEQ:
        // Otherwise every value is >= lower > v.
        return Bounds.isAtLeast(value, lower);
      case GT:
        // Otherwise every value is <= upper <= v.
        return upper == null || EncodedOrder.compare(upper, value) > 0;
      case GTEQ:
        // Otherwise every value is <= upper < v.
        return Bounds.isAtMost(value, upper);
      default:
        throw new IllegalStateException("not a comparison: " + operator());
    }
  }

  @Override
  boolean canUseAllValues() {
    return operator() == Operator.EQ;
  }

  @Override
  boolean canUseSingleValues() {
    return operator() == Operator.EQ;
  }

  @Override
  protected String text() {
    return column() + " " + operator().text() + " " + LiteralText.of(type(), value);
  }
}
