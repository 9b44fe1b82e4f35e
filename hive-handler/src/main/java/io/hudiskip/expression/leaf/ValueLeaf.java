/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.expression.leaf;

import io.hudiskip.encoding.HiveType;
import io.hudiskip.expression.ReadColumn;
import io.hudiskip.expression.TermAnswers;
import io.hudiskip.kind.IndexKind;
import io.hudiskip.statistics.ColumnStatistics;
import io.hudiskip.statistics.Content;
import io.hudiskip.thrift.ExpressionOperator;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** A test of one column that no NULL passes. */
abstract class ValueLeaf extends StatisticsLeaf {
  private final ReadColumn column;

  ValueLeaf(ExpressionOperator operator, ReadColumn column) {
    super(operator, Collections.singletonList(column));
    this.column = column;
  }

  final String column() {
    return column.name();
  }

  /** The type of the literals, and that which Hive reads the column as. */
  final HiveType type() {
    return column.type();
  }

  /**
   * Whether a column with these values may have one that passes.
   *
   * @param lower no value is below it; null when absent
   * @param upper no value is above it; null when absent
   * @param isPossible false for a value that the column certainly does not have
   */
  abstract boolean mayHold(byte[] lower, byte[] upper, Predicate<byte[]> isPossible);

  @Override
  final boolean mayBeTrue(ColumnStatistics[] ranges, TermAnswers terms) {
    ColumnStatistics range = ranges[0];
    if (range.isAllNull()) {
      // Every row is NULL, and the test is NULL for it.
      return false;
    }
    if (type().kind() == HiveType.Kind.FLOAT && range.nanCount() != 0) {
      // Statistics leave NaN out, and Hive orders it in two ways: a NaN row may match anything.
      return true;
    }
    for (Content content : range.contents().values()) {
      Optional<List<byte[]>> values = content.allValues();
      if (values.isPresent() && !hasPassing(values.get())) {
        // The file has no values but these, and none of them passes.
        return false;
      }
    }
    return mayHold(range.lower(), range.upper(), range::mayContain);
  }

  /** Whether the set of all values can decide where bounds don't. */
  abstract boolean asksForAllValues();

  /** Whether it can decide where bounds don't to know of single values that they are not there. */
  abstract boolean asksForSingleValues();

  @Override
  protected final boolean asksFor(IndexKind kind) {
    return (asksForAllValues() && kind.answers().contains(IndexKind.Answer.ALL_VALUES))
        || (asksForSingleValues() && kind.answers().contains(IndexKind.Answer.SINGLE_VALUES));
  }

  private boolean hasPassing(Iterable<byte[]> values) {
    for (byte[] value : values) {
      if (mayHold(value, value, other -> true)) {
        return true;
      }
    }
    return false;
  }
}
