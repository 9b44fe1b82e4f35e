// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.expression.leaf;

import io.hudiskip.encoding.HiveType;
import io.hudiskip.expression.Operator;
import io.hudiskip.expression.ReadColumn;
import io.hudiskip.expression.TermAnswers;
import io.hudiskip.kind.IndexKind;
import io.hudiskip.statistics.ColumnStatistics;
import io.hudiskip.statistics.Content;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** A test of one column that NULL never passes. */
abstract class ValueLeaf extends StatisticsLeaf {
  private final ReadColumn column;

  ValueLeaf(Operator operator, ReadColumn column) {
    super(operator, Collections.singletonList(column));
    this.column = column;
  }

  final String column() {
    return column.name();
  }

  /** The type of the literals, as which Hive reads the column. */
  final HiveType type() {
    return column.type();
  }

  /**
   * Whether a column within these bounds may have a value that passes.
   *
   * @param lower no value is below it; null when absent
   * @param upper no value is above it; null when absent
   * @param isPossible false for a value that the column certainly lacks
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
      // Statistics exclude NaN, and Hive orders it in two ways: a NaN row may match anything.
      return true;
    }
    for (Content content : range.contents().values()) {
      Optional<List<byte[]>> values = content.allValues();
      if (values.isPresent() && !hasPassing(values.get())) {
        // The file has only these values, and none of them passes.
        return false;
      }
    }
    return mayHold(range.lower(), range.upper(), range::mayContain);
  }

  /** Whether the set of all values can decide where bounds cannot. */
  abstract boolean canUseAllValues();

  /** Whether knowing that single values are absent can decide where bounds cannot. */
  abstract boolean canUseSingleValues();

  @Override
  protected final boolean canUse(IndexKind kind) {
    return (canUseAllValues() && kind.answers().contains(IndexKind.Answer.ALL_VALUES))
        || (canUseSingleValues() && kind.answers().contains(IndexKind.Answer.SINGLE_VALUES));
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
