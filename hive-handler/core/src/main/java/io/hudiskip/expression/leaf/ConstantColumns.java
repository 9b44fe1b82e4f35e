// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.expression.leaf;

import io.hudiskip.encoding.EncodedOrder;
import io.hudiskip.encoding.HiveType;
import io.hudiskip.encoding.ValueEncoding;
import io.hudiskip.expression.ReadColumn;
import io.hudiskip.expression.TermEvaluator;
import io.hudiskip.statistics.ColumnStatistics;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Finds columns that have the same value in every row of a file. */
final class ConstantColumns {
  private static final byte[] FLOAT_ZERO = ValueEncoding.encodeDouble(0.0);

  private ConstantColumns() {}

  /**
   * The values that every row of a file has in these columns.
   *
   * @param ranges statistics of each column, whose type is read without loss
   * @return empty when a column has, or may have, several values
   */
  static Optional<List<TermEvaluator.Value>> row(
      List<ReadColumn> columns, ColumnStatistics[] ranges) {
    List<TermEvaluator.Value> row = new ArrayList<>(ranges.length);
    for (int i = 0; i < ranges.length; i++) {
      ReadColumn column = columns.get(i);
      if (!isConstant(column.type().kind(), ranges[i])) {
        return Optional.empty();
      }
      row.add(new TermEvaluator.Value(column.name(), column.type(), ranges[i].lower()));
    }
    return Optional.of(row);
  }

  private static boolean isConstant(HiveType.Kind kind, ColumnStatistics range) {
    // There are rows, none is NULL, and each lies between two equal bounds.
    return range.nullCount() == 0
        && range.valueCount() > 0
        && Bounds.areEqual(range.lower(), range.upper())
        && ValueEncoding.isWellFormed(kind, range.lower())
        && isExact(kind, range);
  }

  /** Whether Hive reads exactly the value that the bound encodes. */
  private static boolean isExact(HiveType.Kind kind, ColumnStatistics range) {
    switch (kind) {
      case TIMESTAMP:
        // The reader's zone shifts the stored instant.
        return false;
      case FLOAT:
        // Bounds exclude NaN, and the bound 0.0 also stands for -0.0.
        return range.nanCount() == 0 && EncodedOrder.compare(range.lower(), FLOAT_ZERO) != 0;
      default:
        return true;
    }
  }
}
