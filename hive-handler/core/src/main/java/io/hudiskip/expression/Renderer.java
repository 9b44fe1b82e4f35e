// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.expression;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** An expression as one line of text for logs, worded like the Python command line's. */
final class Renderer {
  private static final int MAX_LENGTH = 2000;
  private static final Pattern LINE_BREAKERS = Pattern.compile("[\\p{Cc}\\p{Zl}\\p{Zp}]");

  private Renderer() {}

  /** {@code nodes} are one tree in post-order. */
  static String render(List<Node> nodes) {
    List<String> open = new ArrayList<>();
    for (Node node : nodes) {
      if (node.arity() == 0) {
        open.add(node.text());
        continue;
      }
      List<String> children = open.subList(open.size() - node.arity(), open.size());
      String joined = String.join(" " + node.text() + " ", children);
      children.clear();
      boolean isRoot = node == nodes.get(nodes.size() - 1);
      // A subtree is cut where the whole would be at the latest.
      open.add(LiteralText.cut(isRoot ? joined : "(" + joined + ")", MAX_LENGTH));
    }
    return shortLine(open.get(0));
  }

  static String render(Node node) {
    return shortLine(node.text());
  }

  /** Replaces line breaks by spaces: a literal must not forge a log line. */
  private static String shortLine(String text) {
    return LINE_BREAKERS.matcher(LiteralText.cut(text, MAX_LENGTH)).replaceAll(" ");
  }
}
