// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.statistics;

import io.hudiskip.encoding.EncodedOrder;
import io.hudiskip.encoding.HiveType;
import io.hudiskip.encoding.ValueEncoding;

/** Columns that have one value in all rows of a file. */
public final class SingleValue {
  private static final byte[] FLOAT_ZERO = ValueEncoding.encodeDouble(0.0);

  private SingleValue() {}

  /**
   * Whether Hive certainly reads the value of the lower bound in every row.
   *
   * @param kind the kind of the type that Hive reads the column as
   */
  public static boolean isCertain(HiveType.Kind kind, ColumnStatistics column) {
    // There are rows, none is NULL, and each lies between two equal bounds.
    return column.nullCount() == 0
        && column.valueCount() > 0
        && column.lower() != null
        && column.upper() != null
        && EncodedOrder.compare(column.lower(), column.upper()) == 0
        && ValueEncoding.isWellFormed(kind, column.lower())
        && isExact(kind, column);
  }

  /** Whether Hive reads exactly the value that the bound encodes. */
  private static boolean isExact(HiveType.Kind kind, ColumnStatistics column) {
    switch (kind) {
      case TIMESTAMP:
        // The reader's zone shifts the stored instant.
        return false;
      case FLOAT:
        // Bounds exclude NaN, and the bound 0.0 also stands for -0.0.
        return column.nanCount() == 0 && EncodedOrder.compare(column.lower(), FLOAT_ZERO) != 0;
      default:
        return true;
    }
  }
}
