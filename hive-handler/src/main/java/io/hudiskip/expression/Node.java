/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.expression;

import io.hudiskip.thrift.ExpressionOperator;
import java.util.Collections;
import java.util.List;

/**
 * One node of a decoded expression: a {@link Connective} over the subtrees before it, or a {@link
 * Leaf}. Immutable.
 */
abstract class Node {
  private final ExpressionOperator operator;

  Node(ExpressionOperator operator) {
    this.operator = operator;
  }

  final ExpressionOperator operator() {
    return operator;
  }

  /** Number of subtrees before this node that are its children. */
  int arity() {
    return 0;
  }

  /** The columns whose statistics decide. */
  List<ReadColumn> columns() {
    return Collections.emptyList();
  }

  /** Whether the set of all values of a file's column can decide where its bounds don't. */
  boolean asksForValueSets() {
    return false;
  }

  /** Whether a bloom filter of a file's column can decide where its bounds don't. */
  boolean asksForBloomFilters() {
    return false;
  }

  /** The node in words, without its children; {@link Renderer} bounds it and makes it one line. */
  abstract String text();
}
