// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.expression;

/** What one node of an expression does to a list of files, for display. Immutable. */
public final class ExplainedNode {
  private final int depth;
  private final String text;
  private final int filesKept;

  public ExplainedNode(int depth, String text, int filesKept) {
    this.depth = depth;
    this.text = text;
    this.filesKept = filesKept;
  }

  /** Number of ancestors; 0 for the root. */
  public int depth() {
    return depth;
  }

  /** The node without its children, on one line: {@code and}, {@code distance > 2000}. */
  public String text() {
    return text;
  }

  public int filesKept() {
    return filesKept;
  }
}
