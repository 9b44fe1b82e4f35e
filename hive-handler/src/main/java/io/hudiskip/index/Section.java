/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.index;

/** A range of bytes of a data file and the CRC-32 that they must have. */
final class Section {
  private final long offset;
  private final int length;
  private final long crc32;

  Section(long offset, int length, long crc32) {
    this.offset = offset;
    this.length = length;
    this.crc32 = crc32;
  }

  long offset() {
    return offset;
  }

  int length() {
    return length;
  }

  long end() {
    return offset + length;
  }

  long crc32() {
    return crc32;
  }
}
