// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.expression;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.regex.Pattern;

/** An expression as one line of text for logs, worded like the Python command line's. */
final class Renderer {
  private static final int MAX_LENGTH = 2000;
  private static final int MAX_CHARS_PER_CHARACTER = 2;
  private static final Pattern LINE_BREAKERS = Pattern.compile("[\\p{Cc}\\p{Zl}\\p{Zp}]");

  private final Program program;
  private final StringBuilder out = new StringBuilder();

  private Renderer(Program program) {
    this.program = program;
  }

  static String render(Program program) {
    Renderer renderer = new Renderer(program);
    renderer.renderTree();
    return shortLine(renderer.out.toString());
  }

  static String render(Node node) {
    return shortLine(node.text());
  }

  private void renderTree() {
    int[][] children = program.children();
    int[] rendered = new int[program.size()];
    Deque<Integer> path = new ArrayDeque<>();
    path.push(program.size() - 1);
    while (!path.isEmpty() && out.length() <= MAX_CHARS_PER_CHARACTER * MAX_LENGTH) {
      int current = path.peek();
      Node node = program.node(current);
      boolean inParentheses = node.arity() > 0 && !program.isRoot(current);
      if (node.arity() == 0) {
        out.append(node.text());
        path.pop();
      } else if (rendered[current] < node.arity()) {
        if (rendered[current] > 0) {
          out.append(' ').append(node.text()).append(' ');
        } else if (inParentheses) {
          out.append('(');
        }
        path.push(children[current][rendered[current]]);
        rendered[current]++;
      } else {
        out.append(inParentheses ? ")" : "");
        path.pop();
      }
    }
  }

  /** Replaces line breaks by spaces: a literal must not forge a log line. */
  private static String shortLine(String text) {
    return LINE_BREAKERS.matcher(LiteralText.cut(text, MAX_LENGTH)).replaceAll(" ");
  }
}
