/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.expression;

import io.hudiskip.thrift.ExpressionOperator;
import java.util.BitSet;
import java.util.Optional;

/**
 * Evaluates a program leaf by leaf over whole columns. Each node's result goes straight into its
 * parent's, so that as many bit sets are alive as connectives are half done, and nothing recurses.
 */
final class Evaluator {

  private Evaluator() {}

  /** The files, by position, that the program keeps. */
  static BitSet evaluate(Program program, FileStatistics statistics) {
    BitSet[] partial = new BitSet[program.size()];
    for (int i = 0; i < program.size(); i++) {
      Node node = program.node(i);
      BitSet kept = node.arity() > 0 ? partial[i] : evaluate(node, statistics);
      partial[i] = null;
      if (program.isRoot(i)) {
        return kept;
      }
      int parent = program.parent(i);
      if (partial[parent] == null) {
        partial[parent] = kept;
      } else if (program.node(parent).operator() == ExpressionOperator.AND) {
        // A row that makes AND TRUE makes every child TRUE, and every child keeps its file.
        partial[parent].and(kept);
      } else {
        // A row that makes OR TRUE makes one child TRUE, and that child keeps its file.
        partial[parent].or(kept);
      }
    }
    throw new IllegalStateException("a program without a root");
  }

  private static BitSet evaluate(Node node, FileStatistics statistics) {
    if (node.operator() == ExpressionOperator.NEVER) {
      // The filter is TRUE for no row of any file.
      return new BitSet();
    }
    if (node.isLeaf()) {
      Optional<ColumnVector> column = statistics.column(node.column());
      if (column.isPresent()) {
        return LeafEvaluator.evaluate(node, column.get());
      }
    }
    BitSet all = new BitSet(statistics.fileCount());
    all.set(0, statistics.fileCount());
    return all;
  }
}
