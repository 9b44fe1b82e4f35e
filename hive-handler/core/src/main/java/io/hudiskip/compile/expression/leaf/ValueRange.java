// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.expression.leaf;

import io.hudiskip.compile.encoding.EncodedOrder;
import io.hudiskip.compile.encoding.HiveType;
import io.hudiskip.compile.expression.LiteralText;

/** All encoded values between two ends, each of which is absent, included or excluded. */
public final class ValueRange {
  private final byte[] low;
  private final boolean lowIncluded;
  private final byte[] high;
  private final boolean highIncluded;
  private final boolean isPoint;

  /** Ends are kept, not copied; null when absent. */
  public ValueRange(byte[] low, boolean lowIncluded, byte[] high, boolean highIncluded) {
    this.low = low;
    this.lowIncluded = lowIncluded;
    this.high = high;
    this.highIncluded = highIncluded;
    this.isPoint = Bounds.areEqual(low, high);
  }

  /** A single value. */
  public static ValueRange of(byte[] value) {
    return new ValueRange(value, true, value, true);
  }

  /** Null when absent. */
  public byte[] low() {
    return low;
  }

  public boolean lowIncluded() {
    return lowIncluded;
  }

  /** Null when absent. */
  public byte[] high() {
    return high;
  }

  public boolean highIncluded() {
    return highIncluded;
  }

  public boolean isNotEmpty() {
    if (low == null || high == null) {
      return true;
    }
    int order = EncodedOrder.compare(low, high);
    return order < 0 || (order == 0 && lowIncluded && highIncluded);
  }

  /** Whether it contains only {@link #low}. */
  public boolean isPoint() {
    return isPoint;
  }

  /** Whether all its values are less than {@code value}. */
  boolean endsBelow(byte[] value) {
    if (high == null || value == null) {
      return false;
    }
    int order = EncodedOrder.compare(high, value);
    return order < 0 || (order == 0 && !highIncluded);
  }

  /** Whether all its values are greater than {@code value}. */
  boolean startsAbove(byte[] value) {
    if (low == null || value == null) {
      return false;
    }
    int order = EncodedOrder.compare(low, value);
    return order > 0 || (order == 0 && !lowIncluded);
  }

  /** Whether {@code next} begins above this range and the two do not touch. */
  public boolean precedesApart(ValueRange next) {
    if (high == null || next.low == null) {
      return false;
    }
    int order = EncodedOrder.compare(high, next.low);
    return order < 0 || (order == 0 && !highIncluded && !next.lowIncluded);
  }

  /** For example {@code [1, 5)}, or {@code [1]} for a single value. */
  String text(HiveType type) {
    if (isPoint) {
      return "[" + LiteralText.of(type, low) + "]";
    }
    String left = low == null ? "(-∞" : (lowIncluded ? "[" : "(") + LiteralText.of(type, low);
    String right = high == null ? "∞)" : LiteralText.of(type, high) + (highIncluded ? "]" : ")");
    return left + ", " + right;
  }
}
