/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.ddl;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.antlr.runtime.tree.Tree;
import org.apache.hadoop.hive.ql.lib.Node;
import org.apache.hadoop.hive.ql.parse.ASTNode;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** The tables that a parsed statement writes rows to. */
public final class WrittenTables {
  /** Nodes whose first child, of LOAD the second, is the table that is written to or holds it. */
  private static final List<Integer> WRITES =
      Arrays.asList(
          HiveParser.TOK_INSERT_INTO,
          HiveParser.TOK_DESTINATION,
          HiveParser.TOK_UPDATE_TABLE,
          HiveParser.TOK_DELETE_FROM,
          HiveParser.TOK_MERGE,
          HiveParser.TOK_LOAD);

  private WrittenTables() {}

  /** The nodes that name them, {@code TOK_TABNAME}. */
  public static List<ASTNode> of(ASTNode statement) {
    List<ASTNode> written = new ArrayList<>();
    Deque<Node> nodes = new ArrayDeque<>(); // a tree may be too deep for recursion
    nodes.push(statement);
    while (!nodes.isEmpty()) {
      ASTNode node = (ASTNode) nodes.pop();
      if (WRITES.contains(node.getType())) {
        name(node).ifPresent(written::add);
      }
      if (node.getChildren() != null) {
        node.getChildren().forEach(nodes::push);
      }
    }
    return written;
  }

  /** Empty for a write to a directory, which the rows of every query are. */
  private static Optional<ASTNode> name(ASTNode write) {
    Tree node = write.getChild(write.getType() == HiveParser.TOK_LOAD ? 1 : 0);
    while (node != null && node.getType() != HiveParser.TOK_TABNAME) {
      node = node.getChild(0);
    }
    return Optional.ofNullable((ASTNode) node);
  }
}
