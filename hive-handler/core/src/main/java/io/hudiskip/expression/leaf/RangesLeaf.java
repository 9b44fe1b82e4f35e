// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.expression.leaf;

import io.hudiskip.expression.LiteralText;
import io.hudiskip.expression.Operator;
import io.hudiskip.expression.ReadColumn;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;

/** RANGES: a column's value lies in one of several ranges. */
public final class RangesLeaf extends ValueLeaf {
  private final List<ValueRange> ranges;

  /**
   * {@code ranges} hold values encoded for the column's type, ascend and do not touch; kept, not
   * copied.
   */
  public RangesLeaf(ReadColumn column, List<ValueRange> ranges) {
    super(Operator.RANGES, column);
    this.ranges = Collections.unmodifiableList(ranges);
  }

  public List<ValueRange> ranges() {
    return ranges;
  }

  @Override
  boolean mayHold(byte[] lower, byte[] upper, Predicate<byte[]> isPossible) {
    // Otherwise no range meets [lower, upper], where every value lies, or those that do are single
    // values that the file lacks.
    for (int i = firstNotBelow(lower); i < ranges.size(); i++) {
      ValueRange range = ranges.get(i);
      if (range.startsAbove(upper)) {
        return false;
      }
      if (!range.isPoint() || isPossible.test(range.low())) {
        return true;
      }
    }
    return false;
  }

  /** Index of the first range that does not end below {@code lower}; the ranges ascend. */
  private int firstNotBelow(byte[] lower) {
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
  boolean canUseAllValues() {
    return true;
  }

  @Override
  boolean canUseSingleValues() {
    return ranges.stream().anyMatch(ValueRange::isPoint);
  }

  @Override
  protected String text() {
    return column()
        + " "
        + operator().text()
        + " {"
        + LiteralText.listed(ranges, range -> range.text(type()))
        + "}";
  }
}
