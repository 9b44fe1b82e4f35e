/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.expression;

/** What one node of an expression does to a list of files, for people. Immutable. */
public final class ExplainedNode {
  private final int depth;
  private final String text;
  private final int filesKept;

  /**
   * What a node does.
   *
   * @param depth number of nodes above it
   * @param text the node in words, one line
   * @param filesKept number of files that it and those below it keep
   */
  public ExplainedNode(int depth, String text, int filesKept) {
    this.depth = depth;
    this.text = text;
    this.filesKept = filesKept;
  }

  /** Number of nodes above it; 0 for the root. */
  public int depth() {
    return depth;
  }

  /** The node in words, without its children: {@code and}, {@code distance > 2000}; one line. */
  public String text() {
    return text;
  }

  /** Number of files that the node and those below it keep. */
  public int filesKept() {
    return filesKept;
  }
}
