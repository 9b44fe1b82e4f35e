/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.index.manifest;

/** A range of bytes of a data file and the CRC-32 that they must have. */
public final class Section {
  private final long offset;
  private final int length;
  private final long crc32;

  Section(long offset, int length, long crc32) {
    this.offset = offset;
    this.length = length;
    this.crc32 = crc32;
  }

  /** Position of the first byte in the file. */
  public long offset() {
    return offset;
  }

  /** Number of bytes. */
  public int length() {
    return length;
  }

  /** Position of the byte behind the last one. */
  public long end() {
    return offset + length;
  }

  /** What the CRC-32 of the bytes has to be. */
  public long crc32() {
    return crc32;
  }
}
