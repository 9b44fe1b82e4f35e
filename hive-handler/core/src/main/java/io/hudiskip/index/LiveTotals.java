// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.index;

/** Totals over a table's base files at the index's instant. */
public final class LiveTotals {
  private final long files;
  private final long rows;
  private final long bytes;

  public LiveTotals(long files, long rows, long bytes) {
    this.files = files;
    this.rows = rows;
    this.bytes = bytes;
  }

  public long files() {
    return files;
  }

  public long rows() {
    return rows;
  }

  /** Total length in bytes. */
  public long bytes() {
    return bytes;
  }
}
