/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.expression;

import io.hudiskip.encoding.EncodedOrder;
import io.hudiskip.encoding.HiveType;
import io.hudiskip.encoding.ValueEncoding;
import io.hudiskip.thrift.ExpressionNode;
import io.hudiskip.thrift.ExpressionOperator;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * One node of a decoded expression: AND or OR over the subtrees before it, UNKNOWN, NEVER, or a
 * leaf whose values were checked against its type. Whatever could not be checked has become
 * UNKNOWN.
 */
final class Node {
  private final ExpressionOperator operator;
  private final int arity;
  private final String column;
  private final Optional<HiveType> type;
  private final List<byte[]> values;
  private final String reason;

  private Node(
      ExpressionOperator operator,
      int arity,
      String column,
      Optional<HiveType> type,
      List<byte[]> values,
      String reason) {
    this.operator = operator;
    this.arity = arity;
    this.column = column;
    this.type = type;
    this.values = Collections.unmodifiableList(values);
    this.reason = reason;
  }

  /** AND or OR over the {@code arity} subtrees before it. */
  static Node connective(ExpressionOperator operator, int arity) {
    return new Node(operator, arity, "", Optional.empty(), Collections.emptyList(), "");
  }

  /** Keeps every file, for {@code reason}. */
  static Node unknown(String reason) {
    return new Node(
        ExpressionOperator.UNKNOWN, 0, "", Optional.empty(), Collections.emptyList(), reason);
  }

  /** Keeps no file. */
  static Node never() {
    return new Node(ExpressionOperator.NEVER, 0, "", Optional.empty(), Collections.emptyList(), "");
  }

  /**
   * A leaf over a column, or UNKNOWN when the type or the values are not what the operator needs.
   */
  static Node leaf(ExpressionOperator operator, ExpressionNode node) {
    if (!node.isSetColumn() || node.getColumn().isEmpty() || !node.isSetType()) {
      return unknown(operator + " without a column or a type");
    }
    Optional<HiveType> type = HiveType.parse(node.getType());
    if (!type.isPresent()) {
      return unknown("type " + node.getType() + " of column " + node.getColumn());
    }
    List<byte[]> values = new ArrayList<>(node.getValuesSize());
    if (node.isSetValues()) {
      for (ByteBuffer value : node.getValues()) {
        byte[] bytes = new byte[value.remaining()];
        value.duplicate().get(bytes);
        values.add(bytes);
      }
    }
    if (!hasExpectedCount(operator, values) || !areWellFormed(type.get(), values)) {
      return unknown("values of " + operator + " on column " + node.getColumn());
    }
    return new Node(operator, 0, node.getColumn(), type, values, "");
  }

  private static boolean hasExpectedCount(ExpressionOperator operator, List<byte[]> values) {
    switch (operator) {
      case IS_NULL:
      case IS_NOT_NULL:
        return values.isEmpty();
      case IN:
      case NOT_IN:
        return !values.isEmpty();
      default:
        return values.size() == 1;
    }
  }

  /**
   * Whether all values are of the type's form, and ascend without repeats, as binary search needs.
   */
  private static boolean areWellFormed(HiveType type, List<byte[]> values) {
    for (int i = 0; i < values.size(); i++) {
      if (!ValueEncoding.isWellFormed(type.kind(), values.get(i))
          || (i > 0 && EncodedOrder.compare(values.get(i - 1), values.get(i)) >= 0)) {
        return false;
      }
    }
    return true;
  }

  ExpressionOperator operator() {
    return operator;
  }

  /** Number of subtrees before this node that are its children. */
  int arity() {
    return arity;
  }

  /** Whether statistics of a column decide: {@link #column} and {@link #type} are set. */
  boolean isLeaf() {
    return type.isPresent();
  }

  /** A leaf's column; empty for other nodes. */
  String column() {
    return column;
  }

  /** A leaf's type: that of its values, and that which Hive reads the column as. */
  HiveType type() {
    return type.get();
  }

  /** A leaf's encoded literals, ascending; the arrays must not be changed. */
  List<byte[]> values() {
    return values;
  }

  /** Why an UNKNOWN node keeps every file; empty for other nodes. */
  String reason() {
    return reason;
  }
}
