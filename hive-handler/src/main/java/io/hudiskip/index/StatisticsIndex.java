/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.index;

import io.hudiskip.expression.ExplainedNode;
import io.hudiskip.expression.HudiExpression;
import io.hudiskip.expression.TermEvaluator;
import io.hudiskip.statistics.StatisticsTable;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * What is known of the columns of a table's base files, at one point of time. It holds no state of
 * a query, and threads may share it.
 */
public interface StatisticsIndex {

  /** Number of the generation: the greater, the later. */
  long generation();

  /** The last completed instant of the table's timeline that the index has seen. */
  String instant();

  /** Which index this is. */
  default IndexState state() {
    return IndexState.of(generation(), instant());
  }

  /** The table's base files at {@link #instant}, counted; empty if that is not known at once. */
  Optional<LiveTotals> live();

  /**
   * The table's files at {@link #instant}; empty if they are not known without a listing.
   *
   * @throws IndexUnavailableException when the index cannot be read or is damaged
   */
  Optional<LiveFiles> liveFiles() throws IndexUnavailableException;

  /**
   * Evaluates an expression over the files that the index knows; no listing is needed.
   *
   * @param terms evaluates the terms of the filter that the expression was compiled from
   * @throws IndexUnavailableException when the index cannot be read or is damaged: all files have
   *     to be kept
   */
  FileVerdicts evaluate(HudiExpression expression, TermEvaluator terms)
      throws IndexUnavailableException;

  /**
   * The files of a listing that can hold rows for which the filter is TRUE, for an expression on
   * columns of which something is known without an index.
   *
   * @param beside what is known of the files of the listing; it counts where the index has nothing
   * @return bit {@code i} is set when {@code listing.get(i)} has to be read
   * @throws IndexUnavailableException as {@link #evaluate} does
   */
  BitSet keeps(
      HudiExpression expression,
      List<BaseFile> listing,
      StatisticsTable beside,
      TermEvaluator terms)
      throws IndexUnavailableException;

  /**
   * What each node of an expression keeps of a listing, the root first, for people.
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
