// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.expression.leaf;

import io.hudiskip.compile.expression.Operator;
import io.hudiskip.compile.expression.ReadColumn;
import io.hudiskip.compile.expression.TermAnswers;
import io.hudiskip.compile.statistics.ColumnStatistics;
import java.util.Collections;

/** IS_NULL and IS_NOT_NULL. */
public final class NullTestLeaf extends StatisticsLeaf {

  public NullTestLeaf(Operator operator, ReadColumn column) {
    super(operator, Collections.singletonList(column));
  }

  @Override
  boolean mayBeTrue(ColumnStatistics[] ranges, TermAnswers terms) {
    if (operator() == Operator.IS_NULL) {
      // Otherwise no row is NULL.
      return ranges[0].nullCount() != 0;
    }
    // Otherwise every row is NULL.
    return !ranges[0].isAllNull();
  }

  @Override
  protected String text() {
    return columns().get(0).name() + " " + operator().text();
  }
}
