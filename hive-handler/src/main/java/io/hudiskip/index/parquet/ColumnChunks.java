/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.index.parquet;

import java.nio.ByteBuffer;

/** Where the column chunks of a row group are, one behind another. Immutable. */
public final class ColumnChunks {

  /** Where each chunk ends, counted from the beginning of the group. */
  private final int[] ends;

  /**
   * @param ends ascending, one for each column of a data file; kept, not copied
   */
  public ColumnChunks(int[] ends) {
    this.ends = ends;
  }

  /** The bytes of a column. */
  ByteBuffer of(StatisticsField field, byte[] group) {
    int start = field.position() == 0 ? 0 : ends[field.position() - 1];
    return ByteBuffer.wrap(group, start, ends[field.position()] - start);
  }
}
