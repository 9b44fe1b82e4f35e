/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.expression.leaf;

import io.hudiskip.expression.LiteralText;
import io.hudiskip.expression.ReadColumn;
import io.hudiskip.thrift.ExpressionOperator;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;

/** RANGES: a column's value lies in one of several ranges. */
final class RangesLeaf extends ValueLeaf {
  private final List<ValueRange> ranges;

  /**
   * @param ranges of values encoded for the column's type, ascending and apart; kept, not copied
   */
  RangesLeaf(ReadColumn column, List<ValueRange> ranges) {
    super(ExpressionOperator.RANGES, column);
    this.ranges = Collections.unmodifiableList(ranges);
  }

  List<ValueRange> ranges() {
    return ranges;
  }

  @Override
  boolean mayHold(byte[] lower, byte[] upper, Predicate<byte[]> isPossible) {
    // Otherwise every value lies in [lower, upper], which no range touches, or only in places that
    // are one value each, which is no value of the file.
    for (int i = firstThatReaches(lower); i < ranges.size(); i++) {
      ValueRange range = ranges.get(i);
      if (range.beginsAbove(upper)) {
        return false;
      }
      if (!range.isPoint() || isPossible.test(range.low())) {
        return true;
      }
    }
    return false;
  }

  /** Index of the first range that does not end below {@code lower}; the ranges ascend. */
  private int firstThatReaches(byte[] lower) {
    int from = 0;
    int to = ranges.size();
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (ranges.get(middle).endsBelow(lower)) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from;
  }

  @Override
  boolean asksForAllValues() {
    return true;
  }

  @Override
  boolean asksForSingleValues() {
    return ranges.stream().anyMatch(ValueRange::isPoint);
  }

  @Override
  protected String text() {
    return column() + " in {" + LiteralText.listed(ranges, range -> range.text(type())) + "}";
  }
}
