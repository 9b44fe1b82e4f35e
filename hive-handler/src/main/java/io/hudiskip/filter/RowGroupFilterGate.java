/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.filter;

import java.util.Optional;
import org.apache.hadoop.hive.ql.plan.ExprNodeDesc;

/** Whether Hive's own Parquet row-group filter may be handed a predicate. */
public final class RowGroupFilterGate {
  private RowGroupFilterGate() {}

  /** Why not, for people; empty when the row-group filter is sound for every row group. Never throws. */
  public static Optional<String> objection(ExprNodeDesc predicate) {
    throw new UnsupportedOperationException("being written: " + predicate);
  }
}
