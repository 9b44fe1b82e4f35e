// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.expression;

import io.hudiskip.statistics.StatisticsTable;
import java.util.BitSet;

/** Evaluates a program over whole columns: one bit per file, set when the file is kept. */
final class Evaluator {

  /** Sees what each node keeps, children before their parent. */
  interface Observer {

    /** {@code kept} must not be retained or changed. */
    void evaluated(int node, BitSet kept);
  }

  private Evaluator() {}

  /** The positions of the files that the program keeps. */
  static BitSet evaluate(Program program, StatisticsTable statistics, TermAnswers terms) {
    return evaluate(program, statistics, terms, false, (node, kept) -> {});
  }

  /** Evaluates each node over all files and reports it to {@code observer}. */
  static BitSet evaluate(
      Program program, StatisticsTable statistics, TermAnswers terms, Observer observer) {
    return evaluate(program, statistics, terms, true, observer);
  }

  private static BitSet evaluate(
      Program program,
      StatisticsTable statistics,
      TermAnswers terms,
      boolean overAllFiles,
      Observer observer) {
    BitSet all = new BitSet(statistics.fileCount());
    all.set(0, statistics.fileCount());
    BitSet[] partial = new BitSet[program.size()];
    for (int i = 0; i < program.size(); i++) {
      Node node = program.node(i);
      BitSet kept = partial[i];
      if (node instanceof Leaf) {
        BitSet among = overAllFiles ? all : undecided(program, partial, i, all);
        kept = ((Leaf) node).keptFiles(statistics, terms, among);
      }
      partial[i] = null;
      observer.evaluated(i, kept);
      if (program.isRoot(i)) {
        return kept;
      }
      int parent = program.parent(i);
      if (partial[parent] == null) {
        partial[parent] = kept;
      } else {
        ((Connective) program.node(parent)).join(partial[parent], kept);
      }
    }
    throw new IllegalStateException("a program without a root");
  }

  /**
   * The files for which a leaf's result matters. The nearest ancestor with a partial result already
   * decides the others.
   */
  private static BitSet undecided(Program program, BitSet[] partial, int leaf, BitSet all) {
    for (int node = leaf; !program.isRoot(node); ) {
      node = program.parent(node);
      if (partial[node] != null) {
        return ((Connective) program.node(node)).undecided(partial[node], all);
      }
    }
    return all;
  }
}
