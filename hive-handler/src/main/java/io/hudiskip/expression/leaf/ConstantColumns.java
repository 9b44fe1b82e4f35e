/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
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

/** Finds the columns that have one value in a file, the same in every row. */
final class ConstantColumns {
  private static final byte[] FLOAT_ZERO = ValueEncoding.encodeDouble(0.0);

  private ConstantColumns() {}

  /**
   * The one row that a file's rows all are, as far as these columns go.
   *
   * @param ranges what is known of each column, of a type that is read without loss
   * @return empty when a column has several values, or may have
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
    // No row is NULL, there are rows, and each lies between two bounds that are the same.
    return range.nullCount() == 0
        && range.valueCount() > 0
        && Bounds.areOneValue(range.lower(), range.upper())
        && ValueEncoding.isWellFormed(kind, range.lower())
        && isItsOwnBound(kind, range);
  }

  /** Whether Hive reads the value that the bound encodes, and no other. */
  private static boolean isItsOwnBound(HiveType.Kind kind, ColumnStatistics range) {
    switch (kind) {
      case TIMESTAMP:
        // The stored instant is shown in the zone of the reader.
        return false;
      case FLOAT:
        // NaN is left out of bounds, and the bound 0.0 stands for -0.0 as well.
        return range.nanCount() == 0 && EncodedOrder.compare(range.lower(), FLOAT_ZERO) != 0;
      default:
        return true;
    }
  }
}
