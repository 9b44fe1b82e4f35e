/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import io.hudiskip.expression.ExpressionFormatException;
import io.hudiskip.expression.HudiExpression;
import io.hudiskip.thrift.ExpressionNode;
import io.hudiskip.thrift.ExpressionOperator;
import io.hudiskip.thrift.hudi_skippingConstants;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.thrift.TException;
import org.apache.thrift.TSerializer;
import org.apache.thrift.protocol.TCompactProtocol;

/** Makes expressions the way that they reach the reader: serialized, then decoded. */
public final class Expressions {

  private Expressions() {}

  /** A leaf; {@code values} are encoded. */
  public static List<ExpressionNode> leaf(
      ExpressionOperator operator, String column, String type, byte[]... values) {
    ExpressionNode node = node(operator.getValue()).setColumn(column).setType(type);
    for (byte[] value : values) {
      node.addToValues(ByteBuffer.wrap(value));
    }
    return Collections.singletonList(node);
  }

  /** UNKNOWN, or NEVER. */
  public static List<ExpressionNode> constant(ExpressionOperator operator) {
    return Collections.singletonList(node(operator.getValue()));
  }

  /** AND or OR of subtrees. */
  public static List<ExpressionNode> connective(
      ExpressionOperator operator, List<List<ExpressionNode>> children) {
    List<ExpressionNode> nodes = new ArrayList<>();
    children.forEach(nodes::addAll);
    nodes.add(node(operator.getValue()).setArity(children.size()));
    return nodes;
  }

  /** The post-order nodes of a tree as the vector files write it. */
  public static List<ExpressionNode> fromTree(JsonNode tree) {
    ExpressionOperator operator = ExpressionOperator.valueOf(tree.get("op").textValue());
    switch (operator) {
      case AND:
      case OR:
        List<List<ExpressionNode>> children = new ArrayList<>();
        tree.get("children").forEach(child -> children.add(fromTree(child)));
        return connective(operator, children);
      case UNKNOWN:
      case NEVER:
        return constant(operator);
      default:
        List<byte[]> values = new ArrayList<>();
        tree.path("values").forEach(value -> values.add(Hex.decode(value.textValue())));
        return leaf(
            operator,
            tree.get("column").textValue(),
            tree.get("type").textValue(),
            values.toArray(new byte[0][]));
    }
  }

  private static ExpressionNode node(int operator) {
    return new ExpressionNode().setOperator(operator);
  }

  /** The message that a compiler of this version writes. */
  public static io.hudiskip.thrift.HudiExpression message(List<ExpressionNode> nodes) {
    return new io.hudiskip.thrift.HudiExpression()
        .setFormatVersion(hudi_skippingConstants.EXPRESSION_FORMAT_VERSION)
        .setMinReaderVersion(hudi_skippingConstants.EXPRESSION_FORMAT_VERSION)
        .setFingerprint(new byte[] {1, 2, 3})
        .setNodes(nodes);
  }

  /** Its bytes. */
  public static byte[] serialize(io.hudiskip.thrift.HudiExpression message) {
    try {
      return new TSerializer(new TCompactProtocol.Factory()).serialize(message);
    } catch (TException e) {
      throw new AssertionError(e);
    }
  }

  /** The expression that these nodes are read as. */
  public static HudiExpression expression(List<ExpressionNode> nodes) {
    try {
      return HudiExpression.decode(serialize(message(nodes)));
    } catch (ExpressionFormatException e) {
      throw new AssertionError(e);
    }
  }
}
