/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.index;

import io.hudiskip.encoding.EncodedOrder;
import io.hudiskip.encoding.ValueEncoding;

/**
 * What a manifest says of one row group: a {@link Section}, its rows, and the range of its columns.
 */
final class RowGroupEntry {
  private final Section section;
  private final long rows;
  private final byte[] firstColumn;
  private final byte[] lastColumn;

  RowGroupEntry(Section section, long rows, String firstColumn, String lastColumn) {
    this.section = section;
    this.rows = rows;
    this.firstColumn = ValueEncoding.encodeString(firstColumn);
    this.lastColumn = ValueEncoding.encodeString(lastColumn);
  }

  Section section() {
    return section;
  }

  long rows() {
    return rows;
  }

  /** Whether rows of that column can be in the group; rows are sorted by the bytes of the name. */
  boolean mayHold(String column) {
    byte[] name = ValueEncoding.encodeString(column);
    return EncodedOrder.compare(firstColumn, name) <= 0
        && EncodedOrder.compare(name, lastColumn) <= 0;
  }
}
