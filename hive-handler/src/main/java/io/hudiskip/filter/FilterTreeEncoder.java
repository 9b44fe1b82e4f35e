/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.filter;

import io.hudiskip.thrift.FilterNode;
import io.hudiskip.thrift.FilterNodeKind;
import io.hudiskip.thrift.FilterTree;
import io.hudiskip.thrift.Literal;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hive.ql.plan.ExprNodeDesc;
import org.apache.thrift.TException;
import org.apache.thrift.TSerializer;
import org.apache.thrift.protocol.TCompactProtocol;

/** Filter terms as Thrift's flat post-order node list, and its bytes. */
final class FilterTreeEncoder {
  private FilterTreeEncoder() {}

  static FilterTree encode(FilterTerm root) {
    List<FilterNode> nodes = new ArrayList<>();
    add(root, nodes);
    return new FilterTree().setNodes(nodes);
  }

  /** Hive's node of each node of {@link #encode}; null where there is none. */
  static List<ExprNodeDesc> sources(FilterTerm root) {
    List<ExprNodeDesc> sources = new ArrayList<>();
    addSources(root, sources);
    return sources;
  }

  private static void addSources(FilterTerm term, List<ExprNodeDesc> sources) {
    for (List<FilterTerm> operand : operands(term)) {
      if (operand.size() > 1) {
        // Hive has no node for a part of a list.
        sources.add(null);
      } else {
        addSources(operand.get(0), sources);
      }
    }
    sources.add(term.source());
  }

  private static void add(FilterTerm term, List<FilterNode> nodes) {
    List<List<FilterTerm>> operands = operands(term);
    for (List<FilterTerm> operand : operands) {
      if (operand.size() > 1) {
        nodes.add(list(operand));
      } else {
        add(operand.get(0), nodes);
      }
    }
    FilterNode node =
        new FilterNode()
            .setKind(term.kind().getValue())
            .setName(term.name())
            .setArity(operands.size())
            .setLiteral(term.literal());
    if (term.type() != null) {
      node.setType(term.type().getTypeName());
    }
    nodes.add(node);
  }

  private static FilterNode list(List<FilterTerm> members) {
    List<Literal> literals = new ArrayList<>(members.size());
    members.forEach(member -> literals.add(member.literal()));
    return new FilterNode()
        .setKind(FilterNodeKind.LITERAL_LIST.getValue())
        .setType(members.get(0).type().getTypeName())
        .setArity(0)
        .setLiterals(LiteralLists.of(literals));
  }

  /**
   * The children of a term in order, each alone but for members of IN: as many neighbours as {@link
   * LiteralLists#goTogether} are one node, so that a filter still has one form only.
   */
  private static List<List<FilterTerm>> operands(FilterTerm term) {
    List<FilterTerm> children = term.children();
    List<List<FilterTerm>> operands = new ArrayList<>();
    int start = 0;
    for (int end = 1; end <= children.size(); end++) {
      // The first child is the tested value.
      boolean isOneMore =
          start > 0
              && end < children.size()
              && term.isFunction(FunctionNames.IN)
              && LiteralLists.goTogether(
                  children.get(start).literal(), children.get(end).literal());
      if (!isOneMore) {
        operands.add(children.subList(start, end));
        start = end;
      }
    }
    return operands;
  }

  /**
   * The tree in the compact protocol: a tree has one such form, as structs are written by field
   * number and there are no maps.
   */
  static byte[] bytes(FilterTree tree) {
    try {
      return new TSerializer(new TCompactProtocol.Factory()).serialize(tree);
    } catch (TException e) {
      throw new IllegalStateException("a tree in memory cannot be written", e);
    }
  }

  static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
