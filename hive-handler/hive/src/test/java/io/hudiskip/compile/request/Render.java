// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.request;

import io.hudiskip.thrift.FilterNode;
import io.hudiskip.thrift.FilterNodeKind;
import io.hudiskip.thrift.FilterTree;
import io.hudiskip.thrift.Literal;
import io.hudiskip.thrift.LiteralList;
import io.hudiskip.thrift.PredicateLeaf;
import io.hudiskip.thrift.PredicateLeafOperator;
import io.hudiskip.thrift.SearchArgument;
import io.hudiskip.thrift.SearchArgumentNode;
import io.hudiskip.thrift.SearchArgumentOperator;
import io.hudiskip.thrift.TruthValue;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Thrift's flat trees as text in prefix form, for assertions. */
public final class Render {
  private Render() {}

  /** The index of a filter's root. */
  public static int rootTerm(TypedFilter filter) {
    return filter.tree().getNodesSize() - 1;
  }

  /** Such as {@code (and (= i 1:int) (isnull s))}. */
  static String tree(FilterTree tree) {
    List<String> stack = new ArrayList<>();
    for (FilterNode node : tree.getNodes()) {
      push(stack, node.getArity(), label(node));
    }
    return root(stack);
  }

  private static String label(FilterNode node) {
    switch (FilterNodeKind.findByValue(node.getKind())) {
      case LITERAL:
        return literal(node.getLiteral());
      case LITERAL_LIST:
        return literals(node.getLiterals()).stream()
            .map(Render::literal)
            .collect(Collectors.joining(" "));
      case FIELD:
        return "." + node.getName();
      case OPAQUE:
        return "<" + node.getName() + ">";
      case FUNCTION:
        return node.getName().equals("cast") ? "cast:" + node.getType() : node.getName();
      default:
        return node.getName();
    }
  }

  /** Such as {@code (NOT (LESS_THAN i:int 1:int))}. */
  static String searchArgument(SearchArgument argument) {
    List<String> stack = new ArrayList<>();
    for (SearchArgumentNode node : argument.getNodes()) {
      push(stack, node.getArity(), label(argument, node));
    }
    return root(stack);
  }

  private static String label(SearchArgument argument, SearchArgumentNode node) {
    SearchArgumentOperator operator = SearchArgumentOperator.findByValue(node.getOperator());
    switch (operator) {
      case CONSTANT:
        return TruthValue.findByValue(node.getConstant()).name();
      case LEAF:
        return leaf(argument.getLeaves().get(node.getLeaf()));
      default:
        return operator.name();
    }
  }

  private static String leaf(PredicateLeaf leaf) {
    List<Literal> literals = new ArrayList<>();
    if (leaf.isSetLiteralList()) {
      literals.addAll(leaf.getLiteralList());
    } else if (leaf.isSetPackedLiterals()) {
      literals.addAll(literals(leaf.getPackedLiterals()));
    } else if (leaf.isSetLiteral()) {
      literals.add(leaf.getLiteral());
    }
    return "("
        + PredicateLeafOperator.findByValue(leaf.getOperator())
        + " "
        + leaf.getColumn()
        + ":"
        + leaf.getType()
        + literals.stream().map(l -> " " + literal(l)).collect(Collectors.joining())
        + ")";
  }

  /** The list in its long form. */
  private static List<Literal> literals(LiteralList list) {
    Stream<Literal> literals;
    if (list.isSetIntegerValues()) {
      literals =
          list.getIntegerValues().stream().map(value -> new Literal().setIntegerValue(value));
    } else if (list.isSetDoubleValues()) {
      literals = list.getDoubleValues().stream().map(value -> new Literal().setDoubleValue(value));
    } else if (list.isSetStringValues()) {
      literals = list.getStringValues().stream().map(value -> new Literal().setStringValue(value));
    } else {
      literals = list.getDateValues().stream().map(value -> new Literal().setDateValue(value));
    }
    return literals.map(literal -> literal.setType(list.getType())).collect(Collectors.toList());
  }

  static String literal(Literal literal) {
    return value(literal) + ":" + literal.getType();
  }

  private static String value(Literal literal) {
    if (literal.isSetBooleanValue()) {
      return String.valueOf(literal.isBooleanValue());
    }
    if (literal.isSetIntegerValue()) {
      return String.valueOf(literal.getIntegerValue());
    }
    if (literal.isSetDoubleValue()) {
      return String.valueOf(literal.getDoubleValue());
    }
    if (literal.isSetStringValue()) {
      return "'" + new String(literal.getStringValue(), StandardCharsets.UTF_8) + "'";
    }
    if (literal.isSetDecimalValue()) {
      return new BigDecimal(
              new BigInteger(literal.getDecimalValue().getUnscaled()),
              literal.getDecimalValue().getScale())
          .toString();
    }
    if (literal.isSetDateValue()) {
      return "day " + literal.getDateValue();
    }
    if (literal.isSetTimestampValue()) {
      return literal.getTimestampValue().getSeconds()
          + "s+"
          + literal.getTimestampValue().getNanos()
          + "ns";
    }
    return "NULL";
  }

  private static void push(List<String> stack, int arity, String label) {
    if (arity == 0) {
      stack.add(label);
      return;
    }
    List<String> operands = stack.subList(stack.size() - arity, stack.size());
    String term = "(" + label + " " + String.join(" ", operands) + ")";
    operands.clear();
    stack.add(term);
  }

  private static String root(List<String> stack) {
    if (stack.size() != 1) {
      throw new AssertionError("not one tree: " + stack);
    }
    return stack.get(0);
  }
}
