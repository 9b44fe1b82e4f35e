// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.expression;

import java.util.BitSet;

/** AND or OR over the subtrees that precede it. */
public final class Connective extends Node {
  private final int arity;

  /** {@code arity} is the number of subtrees that it joins. */
  public Connective(Operator operator, int arity) {
    super(operator);
    this.arity = arity;
  }

  @Override
  public int arity() {
    return arity;
  }

  /** Merges the files kept by one more child into those kept by the children before it. */
  void join(BitSet kept, BitSet ofChild) {
    if (operator() == Operator.AND) {
      // A row that makes AND TRUE makes every child TRUE, and every child keeps its file.
      kept.and(ofChild);
    } else {
      // A row that makes OR TRUE makes some child TRUE, and that child keeps its file.
      kept.or(ofChild);
    }
  }

  /**
   * The files that the remaining children still decide.
   *
   * @param kept what the children so far keep together; may itself be returned
   */
  BitSet undecided(BitSet kept, BitSet all) {
    if (operator() == Operator.AND) {
      // AND drops every file that one child drops.
      return kept;
    }
    // OR keeps every file that one child keeps.
    BitSet undecided = (BitSet) all.clone();
    undecided.andNot(kept);
    return undecided;
  }

  @Override
  protected String text() {
    return operator().text();
  }
}
