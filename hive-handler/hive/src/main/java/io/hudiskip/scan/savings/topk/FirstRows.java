// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.savings.topk;

import io.hudiskip.compile.expression.ReadColumn;

/**
 * Rows that a statement needs of a scan: the first ones in the order of a column, whatever decides
 * between equal values. Immutable.
 */
public final class FirstRows {
  private final ReadColumn column;
  private final boolean isDescending;
  private final boolean areNullsLast;
  private final long count;
  private final boolean isInEveryOrder;

  private FirstRows(
      ReadColumn column,
      boolean isDescending,
      boolean areNullsLast,
      long count,
      boolean isInEveryOrder) {
    this.column = column;
    this.isDescending = isDescending;
    this.areNullsLast = areNullsLast;
    this.count = count;
    this.isInEveryOrder = isInEveryOrder;
  }

  /** Those of a sort, which orders strings by their bytes. */
  static FirstRows sorted(
      ReadColumn column, boolean isDescending, boolean areNullsLast, long count) {
    return new FirstRows(column, isDescending, areNullsLast, count, false);
  }

  /** One with the least value, which Hive finds by the order of UTF-8 or that of UTF-16. */
  static FirstRows least(ReadColumn column) {
    return new FirstRows(column, false, true, 1, true);
  }

  /** One with the greatest value, which Hive finds by the order of UTF-8 or that of UTF-16. */
  static FirstRows greatest(ReadColumn column) {
    return new FirstRows(column, true, true, 1, true);
  }

  ReadColumn column() {
    return column;
  }

  boolean isDescending() {
    return isDescending;
  }

  boolean areNullsLast() {
    return areNullsLast;
  }

  /** LIMIT and OFFSET together. */
  long count() {
    return count;
  }

  /** Whether they must be the first ones in each order that Hive has for strings. */
  boolean isInEveryOrder() {
    return isInEveryOrder;
  }

  @Override
  public String toString() {
    return String.format(
        "first %d by %s %s nulls %s",
        count, column.name(), isDescending ? "desc" : "asc", areNullsLast ? "last" : "first");
  }
}
