// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.expression.leaf;

import io.hudiskip.encoding.EncodedOrder;
import io.hudiskip.expression.LiteralText;
import io.hudiskip.expression.Operator;
import io.hudiskip.expression.ReadColumn;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;

/** IN and NOT_IN: compares a column with a list of literals. */
public final class MembershipLeaf extends ValueLeaf {
  private final List<byte[]> values;

  /** {@code values} are encoded for the column's type and strictly ascending; kept, not copied. */
  public MembershipLeaf(Operator operator, ReadColumn column, List<byte[]> values) {
    super(operator, column);
    this.values = Collections.unmodifiableList(values);
  }

  /** Encoded, strictly ascending; must not be changed. */
  public List<byte[]> values() {
    return values;
  }

  @Override
  boolean mayHold(byte[] lower, byte[] upper, Predicate<byte[]> isPossible) {
    if (operator() == Operator.NOT_IN) {
      // Otherwise every value is one of the listed v.
      return !(Bounds.areEqual(lower, upper) && find(lower) >= 0);
    }
    // Otherwise no v lies within the bounds, or the file lacks those that do.
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

  private int find(byte[] wanted) {
    return Collections.binarySearch(values, wanted, EncodedOrder.COMPARATOR);
  }

  @Override
  boolean canUseAllValues() {
    return true;
  }

  @Override
  boolean canUseSingleValues() {
    return operator() == Operator.IN;
  }

  @Override
  protected String text() {
    String listed = LiteralText.listed(values, value -> LiteralText.of(type(), value));
    return column() + " " + operator().text() + " (" + listed + ")";
  }
}
