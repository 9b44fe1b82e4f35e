/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.expression;

import io.hudiskip.statistics.StatisticsTable;
import io.hudiskip.thrift.ExpressionOperator;
import java.util.BitSet;

/** UNKNOWN, which keeps every file, or NEVER, which keeps none. */
public final class Constant extends Leaf {
  private final String reason;

  private Constant(ExpressionOperator operator, String reason) {
    super(operator);
    this.reason = reason;
  }

  /** Keeps every file, for {@code reason}, which may be empty. */
  public static Constant unknown(String reason) {
    return new Constant(ExpressionOperator.UNKNOWN, reason);
  }

  /** Keeps no file. */
  public static Constant never() {
    return new Constant(ExpressionOperator.NEVER, "");
  }

  @Override
  protected BitSet keptFiles(StatisticsTable statistics, TermAnswers terms, BitSet among) {
    BitSet kept = new BitSet(statistics.fileCount());
    // NEVER keeps none: the filter is TRUE for no row of any file.
    kept.set(0, statistics.fileCount(), operator() == ExpressionOperator.UNKNOWN);
    return kept;
  }

  @Override
  protected String text() {
    if (operator() == ExpressionOperator.NEVER) {
      return "none";
    }
    return reason.isEmpty() ? "any" : "any [" + reason + "]";
  }
}
