/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.expression;

import io.hudiskip.thrift.ExpressionOperator;
import java.util.BitSet;
import java.util.Locale;

/** AND or OR over the subtrees before it. */
public final class Connective extends Node {
  private final int arity;

  /**
   * AND or OR.
   *
   * @param arity number of subtrees that it joins
   */
  public Connective(ExpressionOperator operator, int arity) {
    super(operator);
    this.arity = arity;
  }

  @Override
  public int arity() {
    return arity;
  }

  /** Adds what one more child keeps to what the children before it keep together. */
  void join(BitSet kept, BitSet ofChild) {
    if (operator() == ExpressionOperator.AND) {
      // A row that makes AND TRUE makes every child TRUE, and every child keeps its file.
      kept.and(ofChild);
    } else {
      // A row that makes OR TRUE makes one child TRUE, and that child keeps its file.
      kept.or(ofChild);
    }
  }

  /**
   * The files that further children decide about.
   *
   * @param kept what the children before them keep together; may be what is returned
   */
  BitSet undecided(BitSet kept, BitSet all) {
    if (operator() == ExpressionOperator.AND) {
      // What one child does not keep, AND does not keep.
      return kept;
    }
    // What one child keeps, OR keeps.
    BitSet undecided = (BitSet) all.clone();
    undecided.andNot(kept);
    return undecided;
  }

  @Override
  protected String text() {
    return operator().name().toLowerCase(Locale.ROOT);
  }
}
