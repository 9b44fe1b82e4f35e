// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.expression;

import java.util.Collections;
import java.util.List;

/** The nodes of one tree in post-order with the index of each node's parent; the root is last. */
public final class Program {
  private final List<Node> nodes;
  private final int[] parents;

  /** {@code nodes} are one well-formed tree in post-order. */
  public Program(List<Node> nodes) {
    this.nodes = Collections.unmodifiableList(nodes);
    this.parents = parents(nodes);
  }

  private static int[] parents(List<Node> nodes) {
    int[] parents = new int[nodes.size()];
    int[] open = new int[nodes.size()];
    int opened = 0;
    for (int i = 0; i < parents.length; i++) {
      for (int child = 0; child < nodes.get(i).arity(); child++) {
        opened--;
        parents[open[opened]] = i;
      }
      open[opened] = i;
      opened++;
    }
    return parents;
  }

  int size() {
    return parents.length;
  }

  Node node(int index) {
    return nodes.get(index);
  }

  List<Node> nodes() {
    return nodes;
  }

  boolean isRoot(int index) {
    return index == parents.length - 1;
  }

  /** Undefined for the root. */
  int parent(int index) {
    return parents[index];
  }

  int[][] children() {
    int[][] children = new int[parents.length][];
    int[] unfilled = new int[parents.length];
    for (int i = 0; i < parents.length; i++) {
      unfilled[i] = nodes.get(i).arity();
      children[i] = new int[unfilled[i]];
    }
    for (int i = parents.length - 1; i >= 0; i--) {
      if (!isRoot(i)) {
        unfilled[parents[i]]--;
        children[parents[i]][unfilled[parents[i]]] = i;
      }
    }
    return children;
  }
}
