// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.index;

import io.hudiskip.compile.expression.ExplainedNode;
import io.hudiskip.compile.expression.HudiExpression;
import io.hudiskip.compile.expression.TermEvaluator;
import io.hudiskip.compile.statistics.StatisticsTable;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * Column statistics of a table's base files at one point in time. Thread-safe, without query state.
 */
public interface StatisticsIndex {
  /** In place of a number of rows that is not known. */
  long UNKNOWN_ROWS = -1;

  /** Generation number; later generations have greater numbers. */
  long generation();

  /** The last completed instant that the index has seen. */
  String instant();

  default IndexState state() {
    return IndexState.of(generation(), instant());
  }

  /** Totals at {@link #instant}; empty if not readily known. */
  default Optional<LiveTotals> live() {
    return Optional.empty();
  }

  /**
   * The table's files at {@link #instant}; empty if only a listing can tell.
   *
   * @throws IndexUnavailableException when the index is unreadable or damaged
   */
  default Optional<LiveFiles> liveFiles() throws IndexUnavailableException {
    return Optional.empty();
  }

  /**
   * Checks whether the index is intact, for a message: its files of usual size as a whole, others
   * as far as one request tells.
   *
   * @throws IndexUnavailableException when the index is unreadable or damaged
   */
  default void check() throws IndexUnavailableException {}

  /** The instants that the index covers; empty if it does not record them. */
  default Optional<SeenTimeline> seen() {
    return Optional.empty();
  }

  /**
   * The files of a listing that the index has no row for, judging by path and size; empty if it is
   * not kept by file, so that none can be missing.
   *
   * @return bit {@code i} is set when {@code listing.get(i)} is not indexed
   * @throws IndexUnavailableException when the index is unreadable or damaged
   */
  default Optional<BitSet> notIndexed(List<BaseFile> listing) throws IndexUnavailableException {
    return Optional.empty();
  }

  /**
   * The number of rows in each file of a listing, judging by path and size; {@link #UNKNOWN_ROWS}
   * where only the file can tell.
   *
   * @throws IndexUnavailableException when the index is unreadable or damaged
   */
  default long[] rows(List<BaseFile> listing) throws IndexUnavailableException {
    long[] rows = new long[listing.size()];
    Arrays.fill(rows, UNKNOWN_ROWS);
    return rows;
  }

  /**
   * Evaluates an expression over the files that the index knows; an index that finds statistics by
   * file waits for the listing.
   *
   * @param terms evaluates terms of the filter that was compiled
   * @throws IndexUnavailableException when the index is unreadable or damaged; all files must be
   *     kept
   */
  default FileVerdicts evaluate(HudiExpression expression, TermEvaluator terms)
      throws IndexUnavailableException {
    return listing -> keeps(expression, listing, StatisticsTable.ofNothing(listing.size()), terms);
  }

  /**
   * The files of a listing that may contain rows for which the filter is TRUE, using additional
   * statistics.
   *
   * @param beside statistics of the listing's files, used where the index has none, or instead
   * @return bit {@code i} is set when {@code listing.get(i)} must be read
   * @throws IndexUnavailableException as {@link #evaluate} does
   */
  BitSet keeps(
      HudiExpression expression,
      List<BaseFile> listing,
      StatisticsTable beside,
      TermEvaluator terms)
      throws IndexUnavailableException;

  /**
   * What each node of an expression keeps of a listing, in pre-order, for display.
   *
   * @param beside as for {@link #keeps}
   * @throws IndexUnavailableException as {@link #evaluate} does
   */
  List<ExplainedNode> explain(
      HudiExpression expression,
      List<BaseFile> listing,
      StatisticsTable beside,
      TermEvaluator terms)
      throws IndexUnavailableException;
}
