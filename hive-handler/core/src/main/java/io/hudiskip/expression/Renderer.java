// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.expression;

import java.util.List;
import java.util.regex.Pattern;

/** An expression as one line of text for logs, worded like the Python command line's. */
final class Renderer {
  private static final int MAX_LENGTH = 2000;
  private static final int MAX_CHARS_PER_CHARACTER = 2;
  private static final Pattern LINE_BREAKERS = Pattern.compile("[\\p{Cc}\\p{Zl}\\p{Zp}]");

  private Renderer() {}

  /**
   * Renders a tree.
   *
   * @param nodes in post-order
   * @param parents index of each node's parent
   * @param starts index of the first node in the subtree of each
   */
  static String render(List<Node> nodes, int[] parents, int[] starts) {
    int root = nodes.size() - 1;
    // By first node: the largest subtree that begins with it, and how many begin in parentheses.
    int[] largest = new int[nodes.size()];
    int[] openings = new int[nodes.size()];
    for (int i = 0; i < root; i++) {
      largest[starts[i]] = i;
      openings[starts[i]] += nodes.get(i).arity() > 0 ? 1 : 0;
    }
    StringBuilder out = new StringBuilder();
    for (int i = 0; i <= root && out.length() <= MAX_CHARS_PER_CHARACTER * MAX_LENGTH; i++) {
      if (nodes.get(i).arity() > 0) {
        out.append(i == root ? "" : ")");
        continue;
      }
      if (i > 0) {
        out.append(' ').append(nodes.get(parents[largest[i]]).text()).append(' ');
      }
      for (int opened = 0; opened < openings[i]; opened++) {
        out.append('(');
      }
      out.append(nodes.get(i).text());
    }
    return shortLine(out.toString());
  }

  static String render(Node node) {
    return shortLine(node.text());
  }

  /** Replaces line breaks by spaces: a literal must not forge a log line. */
  private static String shortLine(String text) {
    return LINE_BREAKERS.matcher(LiteralText.cut(text, MAX_LENGTH)).replaceAll(" ");
  }
}
