// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.expression;

import io.hudiskip.compile.statistics.StatisticsTable;
import java.util.BitSet;

/** A node without children. */
public abstract class Leaf extends Node {

  protected Leaf(Operator operator) {
    super(operator);
  }

  /**
   * The positions of the files that the leaf keeps.
   *
   * @param among the files to decide, not to be retained or changed; bits of other files are
   *     undefined
   */
  protected abstract BitSet keptFiles(StatisticsTable statistics, TermAnswers terms, BitSet among);
}
