/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.encoding;

import java.util.Comparator;

/** The order of encoded values: unsigned, byte by byte, a prefix before what it is a prefix of. */
public final class EncodedOrder {

  /** {@link #compare} as a comparator, for sorting and binary search. */
  public static final Comparator<byte[]> COMPARATOR = EncodedOrder::compare;

  private EncodedOrder() {}

  /** Negative, zero or positive as {@code a} sorts before, with or after {@code b}. */
  public static int compare(byte[] a, byte[] b) {
    int common = Math.min(a.length, b.length);
    for (int i = 0; i < common; i++) {
      int difference = (a[i] & 0xFF) - (b[i] & 0xFF);
      if (difference != 0) {
        return difference;
      }
    }
    return a.length - b.length;
  }
}
