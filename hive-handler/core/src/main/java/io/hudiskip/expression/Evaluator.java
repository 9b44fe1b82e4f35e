// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.expression;

import io.hudiskip.statistics.StatisticsTable;
import java.util.BitSet;
import java.util.function.ObjIntConsumer;

/** Evaluates a program over whole columns: one bit per file, set when the file is kept. */
final class Evaluator {

  private Evaluator() {}

  /**
   * Evaluates the nodes, children before their parent.
   *
   * @param overAllFiles whether to evaluate each node over all files, not only over those that it
   *     still decides
   * @param observer sees the files that each node keeps, not to be retained or changed
   * @return the positions of the files that the program keeps
   */
  static BitSet evaluate(
      Program program,
      StatisticsTable statistics,
      TermAnswers terms,
      boolean overAllFiles,
      ObjIntConsumer<BitSet> observer) {
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
      observer.accept(kept, i);
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
    throw new IllegalStateException("the expression has no root");
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
