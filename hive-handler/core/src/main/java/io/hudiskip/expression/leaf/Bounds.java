// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.expression.leaf;

import io.hudiskip.encoding.EncodedOrder;

/** Comparisons with bounds; an absent (null) bound satisfies every comparison. */
final class Bounds {

  private Bounds() {}

  static boolean isAtLeast(byte[] value, byte[] lower) {
    return lower == null || EncodedOrder.compare(lower, value) <= 0;
  }

  static boolean isAtMost(byte[] value, byte[] upper) {
    return upper == null || EncodedOrder.compare(value, upper) <= 0;
  }

  static boolean meet(byte[] lower, byte[] upper) {
    return lower == null || isAtMost(lower, upper);
  }

  /** Both are present and equal, so every non-NULL value equals them. */
  static boolean areEqual(byte[] lower, byte[] upper) {
    return lower != null && upper != null && EncodedOrder.compare(lower, upper) == 0;
  }
}
