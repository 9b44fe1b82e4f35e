// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.index.parquet;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import javax.annotation.Nullable;
import org.apache.parquet.bytes.ByteBufferInputStream;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.Dictionary;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.ValuesType;
import org.apache.parquet.column.values.ValuesReader;
import org.apache.parquet.format.DataPageHeader;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;

/**
 * One pass over the rows of a page. The page is decompressed and decoded on first use, so skipping
 * a whole page is free.
 */
final class DataPage {

  interface Content {
    byte[] decompress() throws IOException;
  }

  private final ColumnDescriptor descriptor;
  private final DataPageHeader header;
  private final Content content;
  @Nullable private final Dictionary dictionary;
  private final int rows;

  private boolean isDecoded;

  /** 1 for each row with a value, 0 for NULL; null if all have one. */
  @Nullable private int[] levels;

  /** The values of the non-NULL rows; null if there are none. */
  @Nullable private ValuesReader values;

  DataPage(
      ColumnDescriptor descriptor,
      DataPageHeader header,
      Content content,
      @Nullable Dictionary dictionary) {
    this.descriptor = descriptor;
    this.header = header;
    this.content = content;
    this.dictionary = dictionary;
    this.rows = header.getNum_values();
  }

  int rows() {
    return rows;
  }

  boolean isPresent(int row) throws IOException {
    decode();
    return levels == null || levels[row] == 1;
  }

  void skip(int from, int to) throws IOException {
    if (from == 0 && to == rows) {
      return;
    }
    decode();
    // NULLs are not stored among the values.
    int present = levels == null ? to - from : ones(levels, from, to);
    if (present > 0) {
      values.skip(present);
    }
  }

  /** The values of the non-NULL rows, from the next one on. */
  ValuesReader values() throws IOException {
    decode();
    return values;
  }

  /**
   * A lower bound on how many rows, from the next one on, share its value.
   *
   * @param row the next one, which is not NULL
   * @return at least 1, and at most the remaining rows of the page
   */
  int repeats(int row) throws IOException {
    decode();
    return levels == null && values instanceof DictionaryValues
        ? ((DictionaryValues) values).repeats(rows - row)
        : 1;
  }

  private void decode() throws IOException {
    if (isDecoded) {
      return;
    }
    isDecoded = true;
    ByteBuffer bytes = ByteBuffer.wrap(content.decompress());
    int present = rows;
    if (descriptor.getMaxDefinitionLevel() > 0) {
      int[] decoded = levels(bytes);
      present = ones(decoded, 0, rows);
      levels = present == rows ? null : decoded;
    }
    if (present > 0) {
      values = reader(Encoding.valueOf(header.getEncoding().name()));
      values.initFromPage(present, ByteBufferInputStream.wrap(bytes.slice()));
    }
  }

  private int[] levels(ByteBuffer bytes) throws IOException {
    if (header.getDefinition_level_encoding() != org.apache.parquet.format.Encoding.RLE) {
      throw new IOException(
          "NULLs are encoded as "
              + header.getDefinition_level_encoding()
              + ", only RLE is supported");
    }
    int length = bytes.order(ByteOrder.LITTLE_ENDIAN).getInt();
    ByteBuffer encoded = bytes.slice();
    encoded.limit(length);
    bytes.position(bytes.position() + length);
    return RunLengths.decode(encoded, 1, rows);
  }

  private ValuesReader reader(Encoding encoding) throws IOException {
    if (encoding.usesDictionary()) {
      if (dictionary == null) {
        throw new IOException("a page has no dictionary");
      }
      return new DictionaryValues(dictionary);
    }
    boolean isBinary =
        descriptor.getPrimitiveType().getPrimitiveTypeName() == PrimitiveTypeName.BINARY;
    return isBinary && encoding == Encoding.PLAIN
        ? new PlainBytes()
        : encoding.getValuesReader(descriptor, ValuesType.VALUES);
  }

  private static int ones(int[] levels, int from, int to) {
    int ones = 0;
    for (int i = from; i < to; i++) {
      ones += levels[i];
    }
    return ones;
  }
}
