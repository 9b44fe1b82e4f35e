/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.expression;

import java.util.BitSet;

/** Evaluates a program over whole columns: one bit for each file, set when the file is kept. */
final class Evaluator {

  /** Is told what each node keeps, children before their parent. */
  interface Observer {

    /**
     * Takes the result of a node.
     *
     * @param kept not to be kept or changed
     */
    void evaluated(int node, BitSet kept);
  }

  private Evaluator() {}

  /** The files, by position, that the program keeps. */
  static BitSet evaluate(Program program, FileStatistics statistics, TermAnswers terms) {
    return evaluate(program, statistics, terms, (node, kept) -> {});
  }

  /** The same, seen by an observer. */
  static BitSet evaluate(
      Program program, FileStatistics statistics, TermAnswers terms, Observer observer) {
    BitSet[] partial = new BitSet[program.size()];
    for (int i = 0; i < program.size(); i++) {
      Node node = program.node(i);
      BitSet kept = node instanceof Leaf ? ((Leaf) node).keptFiles(statistics, terms) : partial[i];
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
}
