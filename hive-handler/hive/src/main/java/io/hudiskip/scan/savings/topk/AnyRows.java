// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.savings.topk;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import org.apache.hadoop.hive.ql.exec.LimitOperator;
import org.apache.hadoop.hive.ql.exec.Operator;
import org.apache.hadoop.hive.ql.exec.SelectOperator;
import org.apache.hadoop.hive.ql.exec.TableScanOperator;
import org.apache.hadoop.hive.ql.plan.LimitDesc;

/** Plans that take a number of rows, no matter which: {@code LIMIT} without {@code ORDER BY}. */
public final class AnyRows {
  private AnyRows() {}

  /**
   * How many rows of a scan a plan takes before it ends.
   *
   * @return empty if it takes all, or drops or adds some before it counts them
   */
  public static OptionalLong of(TableScanOperator scan) {
    List<Operator<?>> children = scan.getChildOperators();
    while (children != null && children.size() == 1) {
      Operator<?> operator = children.get(0);
      if (operator instanceof LimitOperator) {
        LimitDesc limit = ((LimitOperator) operator).getConf();
        return limit.getOffset() == null // Hive shuffles rows for an OFFSET
            ? OptionalLong.of(limit.getLimit())
            : OptionalLong.empty();
      }
      children = operator instanceof SelectOperator ? operator.getChildOperators() : null;
    }
    return OptionalLong.empty();
  }

  /**
   * The most bytes of files that are opened for a number of rows, whichever files come first.
   *
   * <p>Proof: all files but the last are read to their end, so each has fewer rows than are wanted,
   * and so have all of them together. Then they are not more than the files with the fewest rows
   * that have fewer together, and not larger than the largest of that size.
   *
   * @param wanted the rows
   * @param rows of each file
   * @param bytes of each file
   */
  public static long mostBytes(long wanted, long[] rows, long[] bytes) {
    long[] fewest = rows.clone();
    Arrays.sort(fewest);
    int whole = 0;
    for (long sum = 0; whole < fewest.length && sum + fewest[whole] < wanted; whole++) {
      sum += fewest[whole];
    }
    long[] largest = new long[rows.length];
    long last = 0;
    for (int i = 0; i < rows.length; i++) {
      largest[i] = rows[i] < wanted ? bytes[i] : 0;
      last = Math.max(last, bytes[i]);
    }
    Arrays.sort(largest);
    long total = last;
    for (int i = 1; i <= whole; i++) {
      total += largest[largest.length - i];
    }
    return total;
  }
}
