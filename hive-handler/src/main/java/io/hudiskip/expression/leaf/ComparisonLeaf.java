/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.expression.leaf;

import io.hudiskip.encoding.EncodedOrder;
import io.hudiskip.expression.LiteralText;
import io.hudiskip.expression.ReadColumn;
import io.hudiskip.thrift.ExpressionOperator;
import java.util.function.Predicate;

/** EQ, NE, LT, LTEQ, GT and GTEQ: a column against one literal. */
final class ComparisonLeaf extends ValueLeaf {
  private final byte[] value;

  /**
   * @param value encoded for the column's type; kept, not copied
   */
  ComparisonLeaf(ExpressionOperator operator, ReadColumn column, byte[] value) {
    super(operator, column);
    this.value = value;
  }

  byte[] value() {
    return value;
  }

  @Override
  boolean mayHold(byte[] lower, byte[] upper, Predicate<byte[]> isPossible) {
    switch (operator()) {
      case EQ:
        // Otherwise every value lies in [lower, upper], and v does not, or v is no value of the
        // file.
        return Bounds.isAtLeast(value, lower)
            && Bounds.isAtMost(value, upper)
            && isPossible.test(value);
      case NE:
        // Otherwise every value is v.
        return !(Bounds.areOneValue(lower, upper) && EncodedOrder.compare(lower, value) == 0);
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
  boolean asksForAllValues() {
    return operator() == ExpressionOperator.EQ;
  }

  @Override
  boolean asksForSingleValues() {
    return operator() == ExpressionOperator.EQ;
  }

  @Override
  protected String text() {
    return column() + " " + symbol() + " " + LiteralText.of(type(), value);
  }

  private String symbol() {
    switch (operator()) {
      case EQ:
        return "=";
      case NE:
        return "!=";
      case LT:
        return "<";
      case LTEQ:
        return "<=";
      case GT:
        return ">";
      default:
        return ">=";
    }
  }
}
