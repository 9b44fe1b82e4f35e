// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import io.hudiskip.compile.encoding.ValueEncoding;
import io.hudiskip.compile.expression.ExpressionFormatException;
import io.hudiskip.compile.expression.HudiExpression;
import io.hudiskip.compile.wire.ExpressionDecoder;
import io.hudiskip.thrift.ColumnSchema;
import io.hudiskip.thrift.ExpressionNode;
import io.hudiskip.thrift.ExpressionOperator;
import io.hudiskip.thrift.hudi_skippingConstants;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
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

  /**
   * A RANGES node.
   *
   * @param bounds one byte per range, as in the IDL
   * @param ends encoded low and high ends alternately, empty where absent
   */
  public static List<ExpressionNode> ranges(
      String column, String type, byte[] bounds, byte[]... ends) {
    List<ExpressionNode> leaf = leaf(ExpressionOperator.RANGES, column, type, ends);
    leaf.get(0).setBounds(bounds);
    return leaf;
  }

  /** A comparison of two columns. */
  public static List<ExpressionNode> columnPair(
      ExpressionOperator operator, String column, String type, String other, String otherType) {
    List<ExpressionNode> leaf = leaf(operator, column, type);
    leaf.get(0).setOtherColumn(other).setOtherType(otherType);
    return leaf;
  }

  /** {@code column = value} on an int column. */
  public static List<ExpressionNode> equal(String column, long value) {
    return leaf(ExpressionOperator.EQ, column, "int", ValueEncoding.encodeInteger(value));
  }

  /** TERM; {@code columns} are a name and a type in turn. */
  public static List<ExpressionNode> term(int term, int outcomes, String... columns) {
    ExpressionNode node = node(ExpressionOperator.TERM.getValue());
    return withColumns(node.setTerm(term).setOutcomes(outcomes), columns);
  }

  /** QUESTION; {@code columns} are a name and a type in turn. */
  public static List<ExpressionNode> question(String kind, byte[] question, String... columns) {
    ExpressionNode node = node(ExpressionOperator.QUESTION.getValue());
    return withColumns(node.setKind(kind).setQuestion(question), columns);
  }

  private static List<ExpressionNode> withColumns(ExpressionNode node, String... columns) {
    for (int i = 0; i < columns.length; i += 2) {
      node.addToTermColumns(new ColumnSchema().setName(columns[i]).setType(columns[i + 1]));
    }
    return Collections.singletonList(node);
  }

  /** UNKNOWN, or NEVER. */
  public static List<ExpressionNode> constant(ExpressionOperator operator) {
    return Collections.singletonList(node(operator.getValue()));
  }

  @SafeVarargs
  public static List<ExpressionNode> and(List<ExpressionNode>... children) {
    return connective(ExpressionOperator.AND, Arrays.asList(children));
  }

  @SafeVarargs
  public static List<ExpressionNode> or(List<ExpressionNode>... children) {
    return connective(ExpressionOperator.OR, Arrays.asList(children));
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
    if (operator == ExpressionOperator.AND || operator == ExpressionOperator.OR) {
      List<List<ExpressionNode>> children = new ArrayList<>();
      tree.get("children").forEach(child -> children.add(fromTree(child)));
      return connective(operator, children);
    }
    ExpressionNode node = node(operator.getValue());
    text(tree, "column").ifPresent(node::setColumn);
    text(tree, "type").ifPresent(node::setType);
    text(tree, "other_column").ifPresent(node::setOtherColumn);
    text(tree, "other_type").ifPresent(node::setOtherType);
    text(tree, "kind").ifPresent(node::setKind);
    text(tree, "question").ifPresent(question -> node.setQuestion(Hex.decode(question)));
    text(tree, "bounds").ifPresent(bounds -> node.setBounds(Hex.decode(bounds)));
    tree.path("values").forEach(v -> node.addToValues(ByteBuffer.wrap(Hex.decode(v.textValue()))));
    if (operator == ExpressionOperator.TERM) {
      node.setTerm(tree.get("term").intValue()).setOutcomes(tree.get("outcomes").intValue());
    }
    for (JsonNode column : tree.path("term_columns")) {
      String name = column.get("name").textValue();
      node.addToTermColumns(
          new ColumnSchema().setName(name).setType(column.get("type").textValue()));
    }
    return Collections.singletonList(node);
  }

  private static Optional<String> text(JsonNode tree, String key) {
    return Optional.ofNullable(tree.path(key).textValue());
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
      return ExpressionDecoder.decode(serialize(message(nodes)));
    } catch (ExpressionFormatException e) {
      throw new AssertionError(e);
    }
  }
}
