/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.expression.leaf;

import io.hudiskip.encoding.EncodedOrder;
import io.hudiskip.expression.LiteralText;
import io.hudiskip.expression.ReadColumn;
import io.hudiskip.thrift.ExpressionOperator;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;

/** IN and NOT_IN: a column against a list of literals. */
final class MembershipLeaf extends ValueLeaf {
  private final List<byte[]> values;

  /**
   * @param values encoded for the column's type, ascending, without repeats; kept, not copied
   */
  MembershipLeaf(ExpressionOperator operator, ReadColumn column, List<byte[]> values) {
    super(operator, column);
    this.values = Collections.unmodifiableList(values);
  }

  List<byte[]> values() {
    return values;
  }

  @Override
  boolean mayHold(byte[] lower, byte[] upper, Predicate<byte[]> isPossible) {
    if (operator() == ExpressionOperator.NOT_IN) {
      // Otherwise every value is one of v...
      return !(Bounds.areOneValue(lower, upper) && find(lower) >= 0);
    }
    // Otherwise no v lies where all values lie, or none that does is a value of the file.
    for (int i = firstAtLeast(lower); i < values.size(); i++) {
      if (!Bounds.isAtMost(values.get(i), upper)) {
        return false;
      }
      if (isPossible.test(values.get(i))) {
        return true;
      }
    }
    return false;
  }

  private int firstAtLeast(byte[] lower) {
    int found = lower == null ? 0 : find(lower);
    return found >= 0 ? found : -found - 1;
  }

  /** As {@link Collections#binarySearch}. */
  private int find(byte[] wanted) {
    return Collections.binarySearch(values, wanted, EncodedOrder.COMPARATOR);
  }

  @Override
  boolean asksForAllValues() {
    return true;
  }

  @Override
  boolean asksForSingleValues() {
    return operator() == ExpressionOperator.IN;
  }

  @Override
  protected String text() {
    String listed = LiteralText.listed(values, value -> LiteralText.of(type(), value));
    return column() + (operator() == ExpressionOperator.IN ? " in (" : " not in (") + listed + ")";
  }
}
