// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.expression;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.regex.Pattern;

/** An expression as one line of text for logs, worded like the Python command line's. */
final class Renderer {
  private static final int MAX_LENGTH = 2000;
  private static final int MAX_CHARS_PER_CHARACTER = 2;
  private static final Pattern LINE_BREAKERS = Pattern.compile("[\\p{Cc}\\p{Zl}\\p{Zp}]");

  private final List<Node> nodes;
  private final int[] starts;

  /** What is left to render, first part on top: texts, and subtrees by the index of their root. */
  private final Deque<Object> rest = new ArrayDeque<>();

  private Renderer(List<Node> nodes, int[] starts) {
    this.nodes = nodes;
    this.starts = starts;
  }

  /**
   * Renders a tree.
   *
   * @param nodes in post-order
   * @param starts index of the first node in the subtree of each
   */
  static String render(List<Node> nodes, int[] starts) {
    return shortLine(new Renderer(nodes, starts).renderTree());
  }

  private String renderTree() {
    StringBuilder out = new StringBuilder();
    rest.push(nodes.size() - 1);
    while (!rest.isEmpty() && out.length() <= MAX_CHARS_PER_CHARACTER * MAX_LENGTH) {
      Object next = rest.pop();
      if (next instanceof String) {
        out.append(next);
      } else {
        pushParts((int) next);
      }
    }
    return out.toString();
  }

  private void pushParts(int parent) {
    Node node = nodes.get(parent);
    if (node.arity() == 0) {
      rest.push(node.text());
      return;
    }
    boolean isRoot = parent == nodes.size() - 1;
    String separator = " " + node.text() + " ";
    rest.push(isRoot ? "" : ")");
    // The last operand's subtree ends before its parent, each other one before the next begins.
    int operand = parent - 1;
    rest.push(operand);
    for (int others = node.arity() - 1; others > 0; others--) {
      operand = starts[operand] - 1;
      rest.push(separator);
      rest.push(operand);
    }
    rest.push(isRoot ? "" : "(");
  }

  static String render(Node node) {
    return shortLine(node.text());
  }

  /** Replaces line breaks by spaces: a literal must not forge a log line. */
  private static String shortLine(String text) {
    return LINE_BREAKERS.matcher(LiteralText.cut(text, MAX_LENGTH)).replaceAll(" ");
  }
}
