// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.ddl;

import io.hudiskip.hive.version.HiveGrammar;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.antlr.runtime.tree.Tree;
import org.apache.hadoop.hive.ql.lib.Node;
import org.apache.hadoop.hive.ql.parse.ASTNode;

/** Finds the tables that a parsed statement writes to. */
public final class WrittenTables {
  /** Nodes whose first child (second for LOAD) is or contains the written table. */
  private static final List<Integer> WRITES =
      Arrays.asList(
          HiveGrammar.token("TOK_INSERT_INTO"),
          HiveGrammar.token("TOK_DESTINATION"),
          HiveGrammar.token("TOK_UPDATE_TABLE"),
          HiveGrammar.token("TOK_DELETE_FROM"),
          HiveGrammar.token("TOK_MERGE"),
          HiveGrammar.token("TOK_LOAD"));

  private static final int LOAD = HiveGrammar.token("TOK_LOAD");
  private static final int TABLE_NAME = HiveGrammar.token("TOK_TABNAME");

  private WrittenTables() {}

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

  /** Empty for a write to a directory, as every query's result is. */
  private static Optional<ASTNode> name(ASTNode write) {
    Tree node = write.getChild(write.getType() == LOAD ? 1 : 0);
    while (node != null && node.getType() != TABLE_NAME) {
      node = node.getChild(0);
    }
    return Optional.ofNullable((ASTNode) node);
  }
}
