// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.index.manifest;

/** A byte range of a data file and its expected CRC-32. */
public final class Section {
  private final long offset;
  private final int length;
  private final long crc32;

  Section(long offset, int length, long crc32) {
    this.offset = offset;
    this.length = length;
    this.crc32 = crc32;
  }

  public long offset() {
    return offset;
  }

  public int length() {
    return length;
  }

  /** Exclusive. */
  public long end() {
    return offset + length;
  }

  public long crc32() {
    return crc32;
  }
}
