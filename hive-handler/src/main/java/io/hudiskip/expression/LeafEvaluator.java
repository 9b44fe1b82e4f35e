/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.expression;

import io.hudiskip.encoding.EncodedOrder;
import io.hudiskip.encoding.HiveType;
import io.hudiskip.thrift.ExpressionOperator;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * The rules of section 2 of {@code docs/format.md}: a leaf keeps a file unless it is TRUE for none
 * of its rows. Beside each rule stands why the file may be skipped otherwise.
 */
final class LeafEvaluator {
  private final ExpressionOperator operator;
  private final HiveType type;
  private final List<byte[]> values;

  /**
   * The only value of a comparison, the least one of IN and NOT_IN; null for IS_NULL, IS_NOT_NULL.
   */
  private final byte[] value;

  private LeafEvaluator(Node leaf) {
    this.operator = leaf.operator();
    this.type = leaf.type();
    this.values = leaf.values();
    this.value = values.isEmpty() ? null : values.get(0);
  }

  /** The files, by position, that the leaf keeps. */
  static BitSet evaluate(Node leaf, ColumnVector column) {
    LeafEvaluator rule = new LeafEvaluator(leaf);
    BitSet kept = new BitSet(column.size());
    for (int file = 0; file < column.size(); file++) {
      ColumnRange range = column.range(file);
      if (range == null || !rule.understands(range.type()) || rule.keeps(range)) {
        kept.set(file);
      }
    }
    return kept;
  }

  /** Bounds of values that Hive reads as other values, or as NULL, say nothing. */
  private boolean understands(Optional<HiveType> stored) {
    return stored.isPresent() && HiveType.readsWithoutLoss(stored.get(), type);
  }

  private boolean keeps(ColumnRange range) {
    if (operator == ExpressionOperator.IS_NULL) {
      // Otherwise no row is NULL.
      return range.nullCount() != 0;
    }
    if (range.isAllNull()) {
      // Every row is NULL: IS_NOT_NULL is FALSE and a comparison is NULL.
      return false;
    }
    if (operator == ExpressionOperator.IS_NOT_NULL) {
      return true;
    }
    if (type.kind() == HiveType.Kind.FLOAT && range.nanCount() != 0) {
      // Bounds leave NaN out, and Hive orders it in two ways: a NaN row may match anything.
      return true;
    }
    return keeps(range.lower(), range.upper());
  }

  private boolean keeps(byte[] lower, byte[] upper) {
    switch (operator) {
      case EQ:
        // Otherwise every value lies in [lower, upper], and v does not.
        return isAtLeast(value, lower) && isAtMost(value, upper);
      case NE:
        // Otherwise every value is v.
        return !(isSingleValue(lower, upper) && EncodedOrder.compare(lower, value) == 0);
      case LT:
        // Otherwise every value is >= lower >= v.
        return lower == null || EncodedOrder.compare(lower, value) < 0;
      case LTEQ:
        // Otherwise every value is >= lower > v.
        return isAtLeast(value, lower);
      case GT:
        // Otherwise every value is <= upper <= v.
        return upper == null || EncodedOrder.compare(upper, value) > 0;
      case GTEQ:
        // Otherwise every value is <= upper < v.
        return isAtMost(value, upper);
      case IN:
        // Otherwise no v lies where all values lie.
        return hasValueBetween(lower, upper);
      case NOT_IN:
        // Otherwise every value is one of v...
        return !(isSingleValue(lower, upper) && find(lower) >= 0);
      default:
        throw new IllegalStateException("not a leaf: " + operator);
    }
  }

  private static boolean isAtLeast(byte[] value, byte[] lower) {
    return lower == null || EncodedOrder.compare(lower, value) <= 0;
  }

  private static boolean isAtMost(byte[] value, byte[] upper) {
    return upper == null || EncodedOrder.compare(value, upper) <= 0;
  }

  private static boolean isSingleValue(byte[] lower, byte[] upper) {
    return lower != null && upper != null && EncodedOrder.compare(lower, upper) == 0;
  }

  private boolean hasValueBetween(byte[] lower, byte[] upper) {
    int found = lower == null ? 0 : find(lower);
    int firstAtLeastLower = found >= 0 ? found : -found - 1;
    return firstAtLeastLower < values.size() && isAtMost(values.get(firstAtLeastLower), upper);
  }

  /** As {@link Collections#binarySearch}. */
  private int find(byte[] wanted) {
    return Collections.binarySearch(values, wanted, EncodedOrder.COMPARATOR);
  }
}
