// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.index.parquet;

import com.github.luben.zstd.ZstdDecompressCtx;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.EnumMap;
import java.util.Map;

/** One pass over each Parquet column of a row group, in spans of rows. */
public final class RowGroupFields {
  private final int rows;
  private final int[] chunkEnds;
  private final byte[] content;
  private final ZstdDecompressCtx decompressor;
  private final Map<StatisticsField, FieldReader> readers = new EnumMap<>(StatisticsField.class);
  private int start;

  /**
   * Creates the fields of a row group.
   *
   * @param rows the expected number
   * @param chunkEnds end of each column chunk, relative to the group; kept, not copied
   * @param content the checked bytes of the group
   * @throws IOException when the group has too many rows
   */
  public RowGroupFields(long rows, int[] chunkEnds, byte[] content, ZstdDecompressCtx decompressor)
      throws IOException {
    if (rows > Integer.MAX_VALUE) {
      throw new IOException("a row group has too many rows: " + rows);
    }
    this.rows = (int) rows;
    this.chunkEnds = chunkEnds;
    this.content = content;
    this.decompressor = decompressor;
  }

  public int rows() {
    return rows;
  }

  /** Starts the next span of each field at {@code row}, which is not before the last span's end. */
  public void moveTo(int row) {
    start = row;
  }

  public FieldReader field(StatisticsField field) throws IOException {
    FieldReader reader = readers.get(field);
    if (reader == null) {
      ColumnChunk chunk =
          new ColumnChunk(field.descriptor(), chunk(field.position()), rows, decompressor);
      reader = new FieldReader(field.fieldName(), chunk);
      readers.put(field, reader);
    }
    reader.moveTo(start);
    return reader;
  }

  private ByteBuffer chunk(int position) {
    int from = position == 0 ? 0 : chunkEnds[position - 1];
    return ByteBuffer.wrap(content, from, chunkEnds[position] - from);
  }
}
