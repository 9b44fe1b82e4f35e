// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.plan;

import io.hudiskip.encoding.HiveType;
import io.hudiskip.expression.HudiExpression;
import io.hudiskip.expression.Node;
import io.hudiskip.expression.ReadColumn;
import io.hudiskip.expression.TermEvaluator;
import io.hudiskip.statistics.ColumnStatistics;
import io.hudiskip.statistics.ColumnVector;
import io.hudiskip.statistics.StatisticsTable;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

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
    byte[][][] values = new byte[layout.columns().size()][keys.size()][];
    for (int column = 0; column < values.length; column++) {
      for (int i = 0; i < values[column].length; i++) {
        values[column][i] = layout.value(keys.get(i), column);
      }
    }
    return expression.evaluate(new Constants(layout, values, keys.size()), terms);
  }

  @Override
  public String toString() {
    return expression.toString();
  }

  /** Statistics of columns with a single value in all rows. */
  private static final class Constants implements StatisticsTable {
    private final KeyLayout layout;
    private final byte[][][] values;
    private final int count;

    Constants(KeyLayout layout, byte[][][] values, int count) {
      this.layout = layout;
      this.values = values;
      this.count = count;
    }

    @Override
    public int fileCount() {
      return count;
    }

    @Override
    public Optional<ColumnVector> column(String name) {
      for (int i = 0; i < values.length; i++) {
        ReadColumn column = layout.columns().get(i);
        if (column.name().equals(name)) {
          byte[][] columnValues = values[i];
          return Optional.of(partition -> constant(column.type(), columnValues[partition]));
        }
      }
      return Optional.empty();
    }

    private static ColumnStatistics constant(HiveType type, byte[] value) {
      // One row stands for all.
      int nulls = value == null ? 1 : 0;
      return new ColumnStatistics(Optional.of(type), value, value, nulls, 1, 0);
    }
  }
}
