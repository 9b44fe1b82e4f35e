// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan;

import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPEqual;

/** An equality that counts how often it is made: once for each decoding of a filter with it. */
public final class CountedFunction extends GenericUDFOPEqual {
  private static final AtomicInteger MADE = new AtomicInteger();

  public CountedFunction() {
    MADE.incrementAndGet();
  }

  static int made() {
    return MADE.get();
  }
}
