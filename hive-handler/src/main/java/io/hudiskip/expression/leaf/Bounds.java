/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.expression.leaf;

import io.hudiskip.encoding.EncodedOrder;

/** Comparisons with bounds; one with an absent (null) bound holds. */
final class Bounds {

  private Bounds() {}

  /** lower ≤ value. */
  static boolean isAtLeast(byte[] value, byte[] lower) {
    return lower == null || EncodedOrder.compare(lower, value) <= 0;
  }

  /** value ≤ upper. */
  static boolean isAtMost(byte[] value, byte[] upper) {
    return upper == null || EncodedOrder.compare(value, upper) <= 0;
  }

  /** lower ≤ upper, where each may be absent. */
  static boolean meet(byte[] lower, byte[] upper) {
    return lower == null || isAtMost(lower, upper);
  }

  /** Both are there and equal: every non-NULL value is that one. */
  static boolean areOneValue(byte[] lower, byte[] upper) {
    return lower != null && upper != null && EncodedOrder.compare(lower, upper) == 0;
  }
}
