/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.index.parquet;

import com.github.luben.zstd.ZstdDecompressCtx;
import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;

/** The Parquet columns of one row group, each to be gone through once in spans of rows. */
public final class RowGroupFields {
  private final int rows;
  private final ColumnChunks chunks;
  private final byte[] content;
  private final ZstdDecompressCtx decompressor;
  private final Map<StatisticsField, FieldReader> readers = new EnumMap<>(StatisticsField.class);
  private int start;

  /**
   * Fields of one row group.
   *
   * @param rows how many it has to have
   * @param chunks where each column is in it
   * @param content the bytes of the group, checked
   * @throws IOException when it has more rows than can be read
   */
  public RowGroupFields(
      long rows, ColumnChunks chunks, byte[] content, ZstdDecompressCtx decompressor)
      throws IOException {
    if (rows > Integer.MAX_VALUE) {
      throw new IOException("a row group has " + rows + " rows");
    }
    this.rows = (int) rows;
    this.chunks = chunks;
    this.content = content;
    this.decompressor = decompressor;
  }

  /** Number of rows. */
  public int rows() {
    return rows;
  }

  /** Where the next span of each field begins; never before the end of the last one. */
  public void moveTo(int row) {
    start = row;
  }

  /** The reader of a field, at the row where the span begins. */
  public FieldReader field(StatisticsField field) throws IOException {
    FieldReader reader = readers.get(field);
    if (reader == null) {
      ColumnChunk chunk =
          new ColumnChunk(field.descriptor(), chunks.of(field, content), rows, decompressor);
      reader = new FieldReader(field.fieldName(), chunk);
      readers.put(field, reader);
    }
    reader.moveTo(start);
    return reader;
  }
}
