// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.expression.leaf;

import io.hudiskip.compile.expression.Leaf;
import io.hudiskip.compile.expression.Operator;
import io.hudiskip.compile.expression.ReadColumn;
import io.hudiskip.compile.expression.TermAnswers;
import io.hudiskip.compile.statistics.ColumnStatistics;
import io.hudiskip.compile.statistics.ColumnVector;
import io.hudiskip.compile.statistics.StatisticsTable;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;

/**
 * A leaf decided by column statistics, by a rule of section 2 of {@code docs/inside/formats.md}: it
 * keeps a file unless the leaf is TRUE for none of its rows. A comment beside each rule proves why
 * the file may be skipped otherwise.
 */
abstract class StatisticsLeaf extends Leaf {
  private final List<ReadColumn> columns;

  /** {@code columns} has at least one element; kept, not copied. */
  StatisticsLeaf(Operator operator, List<ReadColumn> columns) {
    super(operator);
    this.columns = Collections.unmodifiableList(columns);
  }

  @Override
  public final List<ReadColumn> columns() {
    return columns;
  }

  /**
   * Whether the leaf may be TRUE for a row of a file.
   *
   * @param ranges statistics of each of {@link #columns}, none null; not to be retained
   */
  abstract boolean mayBeTrue(ColumnStatistics[] ranges, TermAnswers terms);

  @Override
  protected final BitSet keptFiles(StatisticsTable statistics, TermAnswers terms, BitSet among) {
    ColumnVector[] vectors = new ColumnVector[columns.size()];
    for (int column = 0; column < vectors.length; column++) {
      vectors[column] = columns.get(column).in(statistics);
    }
    BitSet kept = new BitSet(statistics.fileCount());
    ColumnStatistics[] ranges = new ColumnStatistics[vectors.length];
    for (int file = among.nextSetBit(0); file >= 0; file = among.nextSetBit(file + 1)) {
      boolean complete = true;
      for (int column = 0; column < vectors.length && complete; column++) {
        ranges[column] = vectors[column].range(file);
        complete = ranges[column] != null;
      }
      kept.set(file, !complete || mayBeTrue(ranges, terms));
    }
    return kept;
  }
}
