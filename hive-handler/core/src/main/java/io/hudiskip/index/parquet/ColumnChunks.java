// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.index.parquet;

import java.nio.ByteBuffer;

/** The adjacent column chunks of a row group. Immutable. */
public final class ColumnChunks {

  /** End of each chunk, relative to the group. */
  private final int[] ends;

  /** {@code ends} ascend, one per column of the data file; kept, not copied. */
  public ColumnChunks(int[] ends) {
    this.ends = ends;
  }

  ByteBuffer of(StatisticsField field, byte[] group) {
    int start = field.position() == 0 ? 0 : ends[field.position() - 1];
    return ByteBuffer.wrap(group, start, ends[field.position()] - start);
  }
}
