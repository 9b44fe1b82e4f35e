// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.index.columns;

import io.hudiskip.compile.expression.HudiExpression;
import io.hudiskip.compile.expression.Leaf;
import io.hudiskip.compile.expression.Operator;
import io.hudiskip.compile.expression.ReadColumn;
import io.hudiskip.compile.expression.TermAnswers;
import io.hudiskip.compile.expression.TermEvaluator;
import io.hudiskip.compile.kind.IndexKind;
import io.hudiskip.compile.statistics.ColumnStatistics;
import io.hudiskip.compile.statistics.ColumnVector;
import io.hudiskip.compile.statistics.StatisticsTable;
import io.hudiskip.index.BaseFile;
import io.hudiskip.index.IndexUnavailableException;
import io.hudiskip.index.StatisticsIndex;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** What an index knows of one column in each file of a listing. */
public final class ColumnOfFiles {
  private ColumnOfFiles() {}

  /**
   * Reads the statistics of a column.
   *
   * @return by position in the listing; empty where nothing is known of the values that Hive reads
   * @throws IndexUnavailableException when the index is unreadable or damaged
   */
  public static List<Optional<ColumnStatistics>> read(
      StatisticsIndex index, ReadColumn column, List<BaseFile> listing)
      throws IndexUnavailableException {
    Reading reading = new Reading(column);
    // Only this evaluates every node over each file of the listing and nothing else.
    index.explain(
        new HudiExpression(new byte[0], Collections.singletonList(reading)),
        listing,
        StatisticsTable.ofNothing(listing.size()),
        TermEvaluator.NONE);
    return Collections.unmodifiableList(reading.files);
  }

  /** Keeps every file and takes its statistics. */
  private static final class Reading extends Leaf {
    private final ReadColumn column;
    private final List<Optional<ColumnStatistics>> files = new ArrayList<>();

    Reading(ReadColumn column) {
      super(Operator.UNKNOWN);
      this.column = column;
    }

    @Override
    public List<ReadColumn> columns() {
      return Collections.singletonList(column);
    }

    @Override
    protected boolean canUse(IndexKind kind) {
      return false;
    }

    @Override
    protected BitSet keptFiles(StatisticsTable statistics, TermAnswers terms, BitSet among) {
      ColumnVector vector = column.in(statistics);
      for (int file = 0; file < statistics.fileCount(); file++) {
        files.add(Optional.ofNullable(vector.range(file)));
      }
      return (BitSet) among.clone();
    }

    @Override
    protected String text() {
      return column.name();
    }
  }
}
