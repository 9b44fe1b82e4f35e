// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.expression.leaf;

import io.hudiskip.compile.encoding.EncodedOrder;

/** Comparisons with bounds; an absent (null) bound satisfies every comparison. */
final class Bounds {

  /** How far the reader's zone may shift a timestamp from its stored instant. */
  static final long ZONE_SHIFT_MICROS = 36L * 3600 * 1_000_000;

  private Bounds() {}

  static boolean meet(byte[] lower, byte[] upper) {
    return lower == null || upper == null || EncodedOrder.compare(lower, upper) <= 0;
  }

  /** Both are present and equal, so every non-NULL value equals them. */
  static boolean areEqual(byte[] lower, byte[] upper) {
    return lower != null && upper != null && EncodedOrder.compare(lower, upper) == 0;
  }
}
