// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.wire;

import io.hudiskip.compile.expression.Connective;
import io.hudiskip.compile.expression.Constant;
import io.hudiskip.compile.expression.ExpressionFormatException;
import io.hudiskip.compile.expression.HudiExpression;
import io.hudiskip.compile.expression.Node;
import io.hudiskip.compile.expression.Operator;
import io.hudiskip.thrift.ExpressionNode;
import io.hudiskip.thrift.ExpressionOperator;
import io.hudiskip.thrift.hudi_skippingConstants;
import java.util.ArrayList;
import java.util.List;
import org.apache.thrift.TException;

/** Decodes {@code io.hudiskip.thrift.HudiExpression} into a checked {@link HudiExpression}. */
public final class ExpressionDecoder {

  private ExpressionDecoder() {}

  /**
   * Reads an expression from Thrift's compact protocol. Memory and time are bounded by the number
   * of bytes, even if they are hostile.
   *
   * @throws ExpressionFormatException when the bytes are malformed or need a newer reader; every
   *     file must be kept
   */
  public static HudiExpression decode(byte[] bytes) throws ExpressionFormatException {
    io.hudiskip.thrift.HudiExpression message = new io.hudiskip.thrift.HudiExpression();
    try {
      BoundedCompactProtocol.read(bytes, message);
    } catch (TException e) {
      throw new ExpressionFormatException("not a serialized HudiExpression: " + e.getMessage(), e);
    }
    if (message.getFormatVersion() < 1 || message.getMinReaderVersion() < 1) {
      throw new ExpressionFormatException("the expression states no format version");
    }
    if (message.getMinReaderVersion() > hudi_skippingConstants.EXPRESSION_FORMAT_VERSION) {
      throw new ExpressionFormatException(
          "the expression needs a reader for format version "
              + message.getMinReaderVersion()
              + ", but this one reads version "
              + hudi_skippingConstants.EXPRESSION_FORMAT_VERSION
              + ": install the hive-handler released with the predicate compiler");
    }
    byte[] fingerprint = message.isSetFingerprint() ? message.getFingerprint() : new byte[0];
    return new HudiExpression(fingerprint, checkedNodes(message));
  }

  /** The nodes in post-order; those this reader does not know become UNKNOWN leaves. */
  private static List<Node> checkedNodes(io.hudiskip.thrift.HudiExpression message)
      throws ExpressionFormatException {
    List<Node> nodes = new ArrayList<>(message.getNodesSize());
    // Index in `nodes` where each subtree without a parent begins.
    int[] starts = new int[message.getNodesSize()];
    int open = 0;
    for (int i = 0; i < starts.length; i++) {
      ExpressionNode encoded = message.getNodes().get(i);
      int arity = encoded.getArity();
      if (arity < 0 || arity > open) {
        throw new ExpressionFormatException(
            "node " + i + " has " + arity + " children, but only " + open + " subtrees precede it");
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
      throw new ExpressionFormatException("the node list holds " + open + " trees instead of one");
    }
    return nodes;
  }

  private static Node checkedNode(ExpressionNode node, int index) throws ExpressionFormatException {
    ExpressionOperator known = ExpressionOperator.findByValue(node.getOperator());
    if (known == null) {
      return Constant.unknown("operator code " + node.getOperator());
    }
    Operator operator = Operator.valueOf(known.name());
    boolean connective = operator == Operator.AND || operator == Operator.OR;
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
