// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.encoding;

import java.util.Comparator;

/** The order of encoded values: unsigned, bytewise, a prefix before its extensions. */
public final class EncodedOrder {

  public static final Comparator<byte[]> COMPARATOR = EncodedOrder::compare;

  /** Lead byte of U+E000, from which UTF-8 and UTF-16 order characters differently. */
  private static final int FIRST_AMBIGUOUS_BYTE = 0xEE;

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

  /**
   * Whether UTF-16 orders any two strings that this one separates as UTF-8 does. It does if the
   * string has no byte of EE or above: two strings that it orders differently differ first where
   * the lesser one in UTF-8 has such a byte, and then so has every string between them.
   */
  public static boolean isSameInUtf16(byte[] utf8) {
    for (byte b : utf8) {
      if ((b & 0xFF) >= FIRST_AMBIGUOUS_BYTE) {
        return false;
      }
    }
    return true;
  }
}
