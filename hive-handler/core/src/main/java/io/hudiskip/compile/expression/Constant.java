// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.expression;

import io.hudiskip.compile.statistics.StatisticsTable;
import java.util.BitSet;

/** UNKNOWN, which keeps every file, or NEVER, which keeps none. */
public final class Constant extends Leaf {
  private final String reason;

  private Constant(Operator operator, String reason) {
    super(operator);
    this.reason = reason;
  }

  /** Keeps every file, for {@code reason}, which may be empty. */
  public static Constant unknown(String reason) {
    return new Constant(Operator.UNKNOWN, reason);
  }

  public static Constant never() {
    return new Constant(Operator.NEVER, "");
  }

  @Override
  protected BitSet keptFiles(StatisticsTable statistics, TermAnswers terms, BitSet among) {
    BitSet kept = new BitSet(statistics.fileCount());
    // NEVER keeps none: the filter is TRUE for no row of any file.
    kept.set(0, statistics.fileCount(), operator() == Operator.UNKNOWN);
    return kept;
  }

  @Override
  protected String text() {
    return reason.isEmpty() ? operator().text() : operator().text() + " [" + reason + "]";
  }
}
