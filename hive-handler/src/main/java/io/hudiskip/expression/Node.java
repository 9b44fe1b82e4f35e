/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.expression;

import io.hudiskip.kind.IndexKind;
import io.hudiskip.thrift.ExpressionOperator;
import java.util.Collections;
import java.util.List;

/**
 * One node of a decoded expression: a {@link Connective} over the subtrees before it, or a {@link
 * Leaf}. Immutable.
 */
public abstract class Node {
  private final ExpressionOperator operator;

  protected Node(ExpressionOperator operator) {
    this.operator = operator;
  }

  /** What it is in the serialized form. */
  public final ExpressionOperator operator() {
    return operator;
  }

  /** Number of subtrees before this node that are its children. */
  public int arity() {
    return 0;
  }

  /** The columns whose statistics decide. */
  public List<ReadColumn> columns() {
    return Collections.emptyList();
  }

  /** Whether records of a kind about its columns can decide where bounds don't. */
  protected boolean asksFor(IndexKind kind) {
    return false;
  }

  /** The node in words, without its children; {@link Renderer} bounds it and makes it one line. */
  protected abstract String text();
}
