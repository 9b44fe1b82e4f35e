// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.encoding;

import java.util.Comparator;

/** The order of encoded values: unsigned, bytewise, a prefix before its extensions. */
public final class EncodedOrder {

  public static final Comparator<byte[]> COMPARATOR = EncodedOrder::compare;

  private EncodedOrder() {}

  /** Negative, zero or positive as {@code a} sorts before, with or after {@code b}. */
  public static int compare(byte[] a, byte[] b) {
    return compare(a, 0, a.length, b, 0, b.length);
  }

  /** Compares parts of two arrays; ends are exclusive. */
  public static int compare(byte[] a, int startA, int endA, byte[] b, int startB, int endB) {
    int lengthA = endA - startA;
    int lengthB = endB - startB;
    int common = Math.min(lengthA, lengthB);
    for (int i = 0; i < common; i++) {
      int difference = (a[startA + i] & 0xFF) - (b[startB + i] & 0xFF);
      if (difference != 0) {
        return difference;
      }
    }
    return lengthA - lengthB;
  }
}
