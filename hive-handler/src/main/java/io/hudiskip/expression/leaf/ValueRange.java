/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.expression.leaf;

import io.hudiskip.encoding.EncodedOrder;
import io.hudiskip.encoding.HiveType;
import io.hudiskip.expression.LiteralText;

/** All encoded values between two ends, each of which is absent, included or excluded. */
final class ValueRange {
  private final byte[] low;
  private final boolean lowIncluded;
  private final byte[] high;
  private final boolean highIncluded;

  /**
   * @param low null when absent; kept, not copied
   * @param high null when absent; kept, not copied
   */
  ValueRange(byte[] low, boolean lowIncluded, byte[] high, boolean highIncluded) {
    this.low = low;
    this.lowIncluded = lowIncluded;
    this.high = high;
    this.highIncluded = highIncluded;
  }

  /** Null when absent. */
  byte[] low() {
    return low;
  }

  boolean lowIncluded() {
    return lowIncluded;
  }

  /** Null when absent. */
  byte[] high() {
    return high;
  }

  boolean highIncluded() {
    return highIncluded;
  }

  /** Whether there is a place for a value between the ends. */
  boolean isNotEmpty() {
    if (low == null || high == null) {
      return true;
    }
    int order = EncodedOrder.compare(low, high);
    return order < 0 || (order == 0 && lowIncluded && highIncluded);
  }

  /** Whether it is one value, {@link #low}. */
  boolean isPoint() {
    return Bounds.areOneValue(low, high);
  }

  /** Whether every value of it is less than {@code value}. */
  boolean endsBelow(byte[] value) {
    if (high == null || value == null) {
      return false;
    }
    int order = EncodedOrder.compare(high, value);
    return order < 0 || (order == 0 && !highIncluded);
  }

  /** Whether every value of it is greater than {@code value}. */
  boolean beginsAbove(byte[] value) {
    if (low == null || value == null) {
      return false;
    }
    int order = EncodedOrder.compare(low, value);
    return order > 0 || (order == 0 && !lowIncluded);
  }

  /** Whether {@code next} begins above this one, and a value lies between them that neither has. */
  boolean isApartBefore(ValueRange next) {
    if (high == null || next.low == null) {
      return false;
    }
    int order = EncodedOrder.compare(high, next.low);
    return order < 0 || (order == 0 && !highIncluded && !next.lowIncluded);
  }

  /** Such as {@code [1, 5)}; one value as {@code [1]}. */
  String text(HiveType type) {
    if (isPoint()) {
      return "[" + LiteralText.of(type, low) + "]";
    }
    String left = low == null ? "(-∞" : (lowIncluded ? "[" : "(") + LiteralText.of(type, low);
    String right = high == null ? "∞)" : LiteralText.of(type, high) + (highIncluded ? "]" : ")");
    return left + ", " + right;
  }
}
