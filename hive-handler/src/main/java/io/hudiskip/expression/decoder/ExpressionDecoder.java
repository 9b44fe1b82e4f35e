/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.expression.decoder;

import io.hudiskip.expression.Connective;
import io.hudiskip.expression.Constant;
import io.hudiskip.expression.ExpressionFormatException;
import io.hudiskip.expression.HudiExpression;
import io.hudiskip.expression.Node;
import io.hudiskip.expression.Program;
import io.hudiskip.expression.leaf.LeafDecoder;
import io.hudiskip.thrift.ExpressionNode;
import io.hudiskip.thrift.ExpressionOperator;
import io.hudiskip.thrift.hudi_skippingConstants;
import java.util.ArrayList;
import java.util.List;
import org.apache.thrift.TException;

/** Bytes of {@code io.hudiskip.thrift.HudiExpression} to a checked {@link HudiExpression}. */
public final class ExpressionDecoder {

  private ExpressionDecoder() {}

  /**
   * Reads an expression from Thrift's compact protocol. Memory and time are bounded by the number
   * of bytes, whatever they are.
   *
   * @throws ExpressionFormatException when the bytes are malformed or need a newer reader; every
   *     file has to be kept
   */
  public static HudiExpression decode(byte[] bytes) throws ExpressionFormatException {
    io.hudiskip.thrift.HudiExpression message = read(bytes);
    if (message.getFormatVersion() < 1 || message.getMinReaderVersion() < 1) {
      throw new ExpressionFormatException("the expression does not say its format version");
    }
    if (message.getMinReaderVersion() > hudi_skippingConstants.EXPRESSION_FORMAT_VERSION) {
      throw new ExpressionFormatException(
          "the expression needs a reader of format version "
              + message.getMinReaderVersion()
              + ", this one reads "
              + hudi_skippingConstants.EXPRESSION_FORMAT_VERSION
              + ": install the hive-handler that belongs to the predicate compiler");
    }
    byte[] fingerprint = message.isSetFingerprint() ? message.getFingerprint() : new byte[0];
    return new HudiExpression(fingerprint, new Program(checkedNodes(message)));
  }

  private static io.hudiskip.thrift.HudiExpression read(byte[] bytes)
      throws ExpressionFormatException {
    io.hudiskip.thrift.HudiExpression message = new io.hudiskip.thrift.HudiExpression();
    try {
      BoundedCompactProtocol.read(bytes, message);
    } catch (TException e) {
      throw new ExpressionFormatException("not a serialized HudiExpression: " + e.getMessage(), e);
    }
    return message;
  }

  /**
   * The nodes in post-order, where what this reader does not know has become UNKNOWN, without
   * children.
   */
  private static List<Node> checkedNodes(io.hudiskip.thrift.HudiExpression message)
      throws ExpressionFormatException {
    List<Node> nodes = new ArrayList<>(message.getNodesSize());
    // Where the subtrees that have no parent yet begin in `nodes`.
    int[] starts = new int[message.getNodesSize()];
    int open = 0;
    for (int i = 0; i < starts.length; i++) {
      ExpressionNode encoded = message.getNodes().get(i);
      int arity = encoded.getArity();
      if (arity < 0 || arity > open) {
        throw new ExpressionFormatException(
            "node " + i + " has " + arity + " children, but " + open + " nodes stand before it");
      }
      Node node = checkedNode(encoded, i);
      open -= arity;
      int start = arity == 0 ? nodes.size() : starts[open];
      if (node.arity() != arity) {
        nodes.subList(start, nodes.size()).clear();
      }
      nodes.add(node);
      starts[open] = start;
      open++;
    }
    if (open != 1) {
      throw new ExpressionFormatException("the node list holds " + open + " trees, not one");
    }
    return nodes;
  }

  private static Node checkedNode(ExpressionNode node, int index) throws ExpressionFormatException {
    ExpressionOperator operator = ExpressionOperator.findByValue(node.getOperator());
    if (operator == null) {
      return Constant.unknown("operator code " + node.getOperator());
    }
    boolean connective = operator == ExpressionOperator.AND || operator == ExpressionOperator.OR;
    if (connective != node.getArity() > 0) {
      throw new ExpressionFormatException(
          "node " + index + " is " + operator + " with " + node.getArity() + " children");
    }
    switch (operator) {
      case AND:
      case OR:
        return new Connective(operator, node.getArity());
      case UNKNOWN:
        return Constant.unknown(node.isSetReason() ? node.getReason() : "");
      case NEVER:
        return Constant.never();
      default:
        return LeafDecoder.decode(operator, node);
    }
  }
}
