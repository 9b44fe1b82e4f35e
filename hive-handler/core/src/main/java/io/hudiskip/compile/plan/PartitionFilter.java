// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.plan;

import io.hudiskip.compile.expression.HudiExpression;
import io.hudiskip.compile.expression.Node;
import io.hudiskip.compile.expression.ReadColumn;
import io.hudiskip.compile.expression.TermEvaluator;
import io.hudiskip.compile.statistics.ColumnStatistics;
import io.hudiskip.compile.statistics.StatisticsTable;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.annotation.Nullable;

/** A condition on key columns. Immutable. */
public final class PartitionFilter {
  private final KeyLayout layout;
  private final HudiExpression expression;

  public PartitionFilter(KeyLayout layout, HudiExpression expression) {
    this.layout = layout;
    this.expression = expression;
  }

  /** The condition's nodes in post-order, for catalogues that can evaluate some. */
  public List<Node> nodes() {
    return expression.nodes();
  }

  /**
   * Evaluates the condition for partitions. A partition has one value per column, which is both
   * bounds of that column in every file, so the expression decides as it does for files.
   *
   * @param keys without the table's prefix
   * @param terms evaluates terms of the filter that was planned
   * @return bit {@code i} is set when the partition of key {@code i} is selected
   * @throws PlanFormatException when the bytes are no keys of the table
   */
  public BitSet matches(List<byte[]> keys, TermEvaluator terms) throws PlanFormatException {
    Map<String, ColumnStatistics[]> columns = new HashMap<>();
    for (int i = 0; i < layout.columns().size(); i++) {
      ReadColumn column = layout.columns().get(i);
      ColumnStatistics[] constants = new ColumnStatistics[keys.size()];
      for (int key = 0; key < constants.length; key++) {
        constants[key] = constant(column, layout.value(keys.get(key), i));
      }
      columns.putIfAbsent(column.name(), constants);
    }
    return expression.evaluate(StatisticsTable.of(keys.size(), columns), terms);
  }

  private static ColumnStatistics constant(ReadColumn column, @Nullable byte[] value) {
    // One row stands for all.
    int nulls = value == null ? 1 : 0;
    return new ColumnStatistics(Optional.of(column.type()), value, value, nulls, 1, 0);
  }

  @Override
  public String toString() {
    return expression.toString();
  }
}
