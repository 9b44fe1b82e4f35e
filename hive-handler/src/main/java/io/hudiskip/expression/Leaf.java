/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.expression;

import io.hudiskip.statistics.StatisticsTable;
import io.hudiskip.thrift.ExpressionOperator;
import java.util.BitSet;

/** A node without children. */
public abstract class Leaf extends Node {

  protected Leaf(ExpressionOperator operator) {
    super(operator);
  }

  /**
   * The files, by position, that the leaf keeps.
   *
   * @param among those that are asked about, not to be kept or changed; of others the answer says
   *     nothing
   */
  protected abstract BitSet keptFiles(StatisticsTable statistics, TermAnswers terms, BitSet among);
}
