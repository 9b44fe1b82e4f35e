// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.expression;

import io.hudiskip.compile.kind.IndexKind;
import java.util.Collections;
import java.util.List;

/** One node of a decoded expression: a {@link Connective} or a {@link Leaf}. Immutable. */
public abstract class Node {
  private final Operator operator;

  protected Node(Operator operator) {
    this.operator = operator;
  }

  public final Operator operator() {
    return operator;
  }

  /** Number of preceding subtrees that are this node's children. */
  public int arity() {
    return 0;
  }

  /** The columns whose statistics decide. */
  public List<ReadColumn> columns() {
    return Collections.emptyList();
  }

  /** Whether records of {@code kind} about its columns can decide where bounds cannot. */
  protected boolean canUse(IndexKind kind) {
    return false;
  }

  /** The node without its children; {@link Renderer} limits it to one line of bounded length. */
  protected abstract String text();
}
