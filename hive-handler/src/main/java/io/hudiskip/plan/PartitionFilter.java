/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.plan;

import io.hudiskip.encoding.HiveType;
import io.hudiskip.expression.HudiExpression;
import io.hudiskip.expression.ReadColumn;
import io.hudiskip.expression.TermEvaluator;
import io.hudiskip.statistics.ColumnStatistics;
import io.hudiskip.statistics.ColumnVector;
import io.hudiskip.statistics.StatisticsTable;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/** A condition on the columns of keys. Immutable. */
public final class PartitionFilter {
  private final KeyLayout layout;
  private final HudiExpression expression;
  private final byte[] bytes;

  PartitionFilter(KeyLayout layout, HudiExpression expression, byte[] bytes) {
    this.layout = layout;
    this.expression = expression;
    this.bytes = bytes;
  }

  /** The condition as it came, a {@code HudiExpression} in Thrift's compact protocol. */
  public byte[] bytes() {
    return bytes.clone();
  }

  /**
   * Which of some partitions meet it. In each of them a column has one value, which is a bound of
   * the column in every file, so that the expression decides by it as it decides about files.
   *
   * @param keys without what names the table
   * @param terms evaluates the terms of the filter that the plan was made of
   * @return bit {@code i} is set when the partition of key {@code i} is wanted
   * @throws PlanFormatException when the bytes are no keys of the table
   */
  public BitSet meets(List<byte[]> keys, TermEvaluator terms) throws PlanFormatException {
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

  /** What is known of columns that have one value in all rows. */
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
          byte[][] ofColumn = values[i];
          return Optional.of(partition -> constant(column.type(), ofColumn[partition]));
        }
      }
      return Optional.empty();
    }

    private static ColumnStatistics constant(HiveType type, byte[] value) {
      // One row stands for all of them.
      int nulls = value == null ? 1 : 0;
      return new ColumnStatistics(Optional.of(type), value, value, nulls, 1, 0);
    }
  }
}
