/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.filter;

import io.hudiskip.thrift.FilterNode;
import io.hudiskip.thrift.FilterTree;
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
    term.children().forEach(child -> addSources(child, sources));
    sources.add(term.source());
  }

  private static void add(FilterTerm term, List<FilterNode> nodes) {
    for (FilterTerm child : term.children()) {
      add(child, nodes);
    }
    FilterNode node =
        new FilterNode()
            .setKind(term.kind().getValue())
            .setName(term.name())
            .setArity(term.children().size())
            .setLiteral(term.literal());
    if (term.type() != null) {
      node.setType(term.type().getTypeName());
    }
    nodes.add(node);
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
