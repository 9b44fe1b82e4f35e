// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.expression;

import io.hudiskip.compile.statistics.StatisticsTable;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.function.ObjIntConsumer;

/**
 * The nodes of one tree in post-order; the root is last. Evaluates them over whole columns: one bit
 * per file, set when the file is kept.
 */
final class Program {
  private final List<Node> nodes;

  /** Index of each node's parent; undefined for the root. */
  private final int[] parents;

  /** Index of the first node in the subtree of each. */
  private final int[] starts;

  /** {@code nodes} are one well-formed tree in post-order. */
  Program(List<Node> nodes) {
    this.nodes = Collections.unmodifiableList(nodes);
    parents = new int[nodes.size()];
    starts = new int[nodes.size()];
    int[] open = new int[nodes.size()];
    int opened = 0;
    for (int i = 0; i < parents.length; i++) {
      starts[i] = i;
      for (int child = 0; child < nodes.get(i).arity(); child++) {
        opened--;
        parents[open[opened]] = i;
        starts[i] = starts[open[opened]];
      }
      open[opened] = i;
      opened++;
    }
  }

  List<Node> nodes() {
    return nodes;
  }

  Node root() {
    return nodes.get(nodes.size() - 1);
  }

  private boolean isRoot(int node) {
    return node == parents.length - 1;
  }

  /** The positions of the files that the root keeps. */
  BitSet evaluate(StatisticsTable statistics, TermAnswers terms) {
    return evaluate(statistics, terms, false, (kept, node) -> {});
  }

  /** What each node keeps of all files, in pre-order. */
  List<ExplainedNode> explain(StatisticsTable statistics, TermAnswers terms) {
    int[] filesKept = new int[nodes.size()];
    evaluate(statistics, terms, true, (kept, node) -> filesKept[node] = kept.cardinality());
    int[] depths = new int[nodes.size()];
    ExplainedNode[] explained = new ExplainedNode[nodes.size()];
    for (int i = nodes.size() - 1; i >= 0; i--) {
      depths[i] = isRoot(i) ? 0 : depths[parents[i]] + 1;
      // In pre-order, a node follows its ancestors and all that precedes its subtree in post-order.
      explained[starts[i] + depths[i]] =
          new ExplainedNode(depths[i], Renderer.render(nodes.get(i)), filesKept[i]);
    }
    return Collections.unmodifiableList(Arrays.asList(explained));
  }

  /**
   * Evaluates the nodes, children before their parent.
   *
   * @param overAllFiles whether to evaluate each node over all files, not only over those that it
   *     still decides
   * @param observer sees the files that each node keeps, not to be retained or changed
   * @return the positions of the files that the root keeps
   */
  private BitSet evaluate(
      StatisticsTable statistics,
      TermAnswers terms,
      boolean overAllFiles,
      ObjIntConsumer<BitSet> observer) {
    BitSet all = new BitSet(statistics.fileCount());
    all.set(0, statistics.fileCount());
    BitSet[] partial = new BitSet[nodes.size()];
    for (int i = 0; i < nodes.size(); i++) {
      Node node = nodes.get(i);
      BitSet kept = partial[i];
      if (node instanceof Leaf) {
        BitSet among = overAllFiles ? all : undecided(partial, i, all);
        kept = ((Leaf) node).keptFiles(statistics, terms, among);
      }
      partial[i] = null;
      observer.accept(kept, i);
      if (isRoot(i)) {
        return kept;
      }
      int parent = parents[i];
      if (partial[parent] == null) {
        partial[parent] = kept;
      } else {
        ((Connective) nodes.get(parent)).join(partial[parent], kept);
      }
    }
    throw new IllegalStateException("the expression has no root");
  }

  /**
   * The files for which a leaf's result matters. The nearest ancestor with a partial result already
   * decides the others.
   */
  private BitSet undecided(BitSet[] partial, int leaf, BitSet all) {
    for (int node = leaf; !isRoot(node); ) {
      node = parents[node];
      if (partial[node] != null) {
        return ((Connective) nodes.get(node)).undecided(partial[node], all);
      }
    }
    return all;
  }

  @Override
  public String toString() {
    return Renderer.render(nodes, starts);
  }
}
