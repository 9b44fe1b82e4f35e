// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.expression;

import io.hudiskip.compile.kind.IndexKind;
import io.hudiskip.compile.statistics.StatisticsTable;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ObjIntConsumer;
import java.util.function.Predicate;

/**
 * Which files a filter can match, as a predicate over column statistics. Immutable. Section 2 of
 * {@code docs/inside/formats.md} defines each node.
 */
public final class HudiExpression {
  private final byte[] fingerprint;
  private final List<Node> nodes;

  /** Index of each node's parent; undefined for the root. */
  private final int[] parents;

  /** Index of the first node in the subtree of each. */
  private final int[] starts;

  private final Set<String> columns;

  /**
   * Creates an expression.
   *
   * @param fingerprint identifies the filter that was compiled; empty when unknown
   * @param nodes one well-formed tree in post-order; kept, not copied
   */
  public HudiExpression(byte[] fingerprint, List<Node> nodes) {
    this.fingerprint = fingerprint;
    this.nodes = Collections.unmodifiableList(nodes);
    this.columns = columnsOf(nodes, node -> true);
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

  private static Set<String> columnsOf(List<Node> nodes, Predicate<Node> isWanted) {
    Set<String> names = new TreeSet<>();
    for (Node node : nodes) {
      if (isWanted.test(node)) {
        node.columns().forEach(column -> names.add(column.name()));
      }
    }
    return Collections.unmodifiableSet(names);
  }

  /** Fingerprint of the compiled filter; empty when the compiler gave none. */
  public byte[] fingerprint() {
    return fingerprint.clone();
  }

  /**
   * Lower-case names of the columns whose statistics decide; empty when none are needed. Records
   * over several columns appear as their names joined by commas.
   */
  public Set<String> columns() {
    return columns;
  }

  /** The {@link #columns()} for which records of {@code kind} can decide more than bounds do. */
  public Set<String> columnsUsing(IndexKind kind) {
    return columnsOf(nodes, node -> node.canUse(kind));
  }

  /**
   * Evaluates over all files without Hive's evaluator: every TERM keeps every file.
   *
   * @return bit {@code i} is set when file {@code i} must be read
   */
  public BitSet evaluate(StatisticsTable statistics) {
    return evaluate(statistics, TermEvaluator.NONE);
  }

  /**
   * Evaluates over all files.
   *
   * @param terms asked once per term and set of values
   * @return bit {@code i} is set when file {@code i} must be read
   */
  public BitSet evaluate(StatisticsTable statistics, TermEvaluator terms) {
    return evaluate(statistics, new TermAnswers(terms), false, (kept, node) -> {});
  }

  /**
   * Evaluates over all files and reports what each node keeps.
   *
   * @param terms asked once per term and set of values
   * @return the nodes in pre-order
   */
  public List<ExplainedNode> explain(StatisticsTable statistics, TermEvaluator terms) {
    int[] filesKept = new int[nodes.size()];
    evaluate(
        statistics,
        new TermAnswers(terms),
        true,
        (kept, node) -> filesKept[node] = kept.cardinality());
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

  private boolean isRoot(int node) {
    return node == parents.length - 1;
  }

  /** Whether the filter is TRUE for no row, so no file is kept whatever its statistics. */
  public boolean isNever() {
    return nodes.get(nodes.size() - 1).operator() == Operator.NEVER;
  }

  /** The nodes in post-order. */
  public List<Node> nodes() {
    return nodes;
  }

  /** A readable form, shortened when long: {@code distance > 2000 and carrier = 'AA'}. */
  @Override
  public String toString() {
    return Renderer.render(nodes, starts);
  }
}
