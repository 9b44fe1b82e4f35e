/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.index;

/** The base files of a table at the instant of the index, counted. */
public final class LiveTotals {
  private final long files;
  private final long rows;
  private final long bytes;

  /** The totals of all base files together. */
  public LiveTotals(long files, long rows, long bytes) {
    this.files = files;
    this.rows = rows;
    this.bytes = bytes;
  }

  /** Number of base files. */
  public long files() {
    return files;
  }

  /** Rows in them. */
  public long rows() {
    return rows;
  }

  /** Their length in bytes. */
  public long bytes() {
    return bytes;
  }
}
