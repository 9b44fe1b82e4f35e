// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.request;

import io.hudiskip.compile.filter.FilterTerm;
import io.hudiskip.compile.filter.FunctionNames;
import io.hudiskip.thrift.FilterNode;
import io.hudiskip.thrift.FilterNodeKind;
import io.hudiskip.thrift.FilterTree;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hive.ql.plan.ExprNodeDesc;
import org.apache.thrift.TException;
import org.apache.thrift.TSerializer;
import org.apache.thrift.protocol.TCompactProtocol;

/** Encodes filter terms as a flat list of nodes in post-order. */
final class FilterTreeEncoder {
  private final List<FilterNode> nodes = new ArrayList<>();
  private final List<ExprNodeDesc> sources = new ArrayList<>();

  FilterTree tree() {
    return new FilterTree().setNodes(nodes);
  }

  /** Hive's node for each node of the tree; null where there is none. */
  List<ExprNodeDesc> sources() {
    return sources;
  }

  void add(FilterTerm term) {
    List<List<FilterTerm>> operands = operands(term);
    for (List<FilterTerm> operand : operands) {
      if (operand.size() > 1) {
        nodes.add(list(operand));
        // Hive has no node for part of a list.
        sources.add(null);
      } else {
        add(operand.get(0));
      }
    }
    FilterNode node =
        new FilterNode()
            .setKind(FilterNodeKind.valueOf(term.kind().name()).getValue())
            .setName(term.name())
            .setArity(operands.size());
    if (term.kind() == FilterTerm.Kind.LITERAL) {
      node.setLiteral(Literals.of(term));
    }
    if (term.type() != null) {
      node.setType(term.type().getTypeName());
    }
    nodes.add(node);
    sources.add(term.source());
  }

  private static FilterNode list(List<FilterTerm> members) {
    return new FilterNode()
        .setKind(FilterNodeKind.LITERAL_LIST.getValue())
        .setType(members.get(0).type().getTypeName())
        .setArity(0)
        .setLiterals(Literals.list(members));
  }

  /**
   * The children of a term in order, each alone except members of IN: neighbours that {@link
   * Literals#canShareList can share a list} are one node, as many as possible, so a filter has
   * exactly one form.
   */
  private static List<List<FilterTerm>> operands(FilterTerm term) {
    List<FilterTerm> children = term.children();
    List<List<FilterTerm>> operands = new ArrayList<>();
    int start = 0;
    for (int end = 1; end <= children.size(); end++) {
      // The first child is the tested value.
      boolean continues =
          start > 0
              && end < children.size()
              && term.isFunction(FunctionNames.IN)
              && Literals.canShareList(children.get(start), children.get(end));
      if (!continues) {
        operands.add(children.subList(start, end));
        start = end;
      }
    }
    return operands;
  }

  /**
   * The tree in the compact protocol. The form is unique: structs are written by field number and
   * there are no maps.
   */
  byte[] bytes() {
    try {
      return new TSerializer(new TCompactProtocol.Factory()).serialize(tree());
    } catch (TException e) {
      throw new IllegalStateException("cannot serialize a filter tree", e);
    }
  }
}
