// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import io.hudiskip.encoding.ValueEncoding;
import io.hudiskip.expression.ExpressionFormatException;
import io.hudiskip.expression.HudiExpression;
import io.hudiskip.thrift.ColumnSchema;
import io.hudiskip.thrift.ExpressionNode;
import io.hudiskip.thrift.ExpressionOperator;
import io.hudiskip.thrift.hudi_skippingConstants;
import io.hudiskip.wire.ExpressionDecoder;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
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
    switch (operator) {
      case AND:
      case OR:
        List<List<ExpressionNode>> children = new ArrayList<>();
        tree.get("children").forEach(child -> children.add(fromTree(child)));
        return connective(operator, children);
      case UNKNOWN:
      case NEVER:
        return constant(operator);
      case TERM:
        return term(
            tree.get("term").intValue(), tree.get("outcomes").intValue(), termColumns(tree));
      case QUESTION:
        return question(text(tree, "kind"), Hex.decode(text(tree, "question")), termColumns(tree));
      case EQ_COLUMN:
      case NE_COLUMN:
      case LT_COLUMN:
      case LTEQ_COLUMN:
        return columnPair(
            operator,
            text(tree, "column"),
            text(tree, "type"),
            text(tree, "other_column"),
            text(tree, "other_type"));
      case RANGES:
        byte[] bounds = Hex.decode(text(tree, "bounds"));
        return ranges(text(tree, "column"), text(tree, "type"), bounds, values(tree));
      default:
        return leaf(operator, text(tree, "column"), text(tree, "type"), values(tree));
    }
  }

  private static String[] termColumns(JsonNode tree) {
    List<String> columns = new ArrayList<>();
    for (JsonNode column : tree.get("term_columns")) {
      columns.add(text(column, "name"));
      columns.add(text(column, "type"));
    }
    return columns.toArray(new String[0]);
  }

  private static byte[][] values(JsonNode tree) {
    List<byte[]> values = new ArrayList<>();
    tree.path("values").forEach(value -> values.add(Hex.decode(value.textValue())));
    return values.toArray(new byte[0][]);
  }

  private static String text(JsonNode tree, String key) {
    return tree.get(key).textValue();
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
