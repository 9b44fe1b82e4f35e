/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.index;

import com.github.luben.zstd.ZstdDecompressCtx;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import javax.annotation.Nullable;
import org.apache.parquet.bytes.ByteBufferInputStream;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.Dictionary;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.ValuesType;
import org.apache.parquet.column.page.DictionaryPage;
import org.apache.parquet.column.values.ValuesReader;
import org.apache.parquet.format.DataPageHeader;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.PageType;
import org.apache.parquet.format.Util;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;

/** The pages of one column chunk, one after another. */
final class ColumnChunk {

  /** The rows of a page. */
  static final class Page {
    private final int rows;

    /** 1 for each row that has a value, 0 for NULL; null if all have one. */
    @Nullable private final int[] levels;

    /** Null if no row has a value. */
    @Nullable private final ValuesReader values;

    private Page(int rows, @Nullable int[] levels, @Nullable ValuesReader values) {
      this.rows = rows;
      this.levels = levels;
      this.values = values;
    }

    int rows() {
      return rows;
    }

    boolean isPresent(int row) {
      return levels == null || levels[row] == 1;
    }

    /** Passes over the values of some rows, which are the next ones. */
    void skip(int from, int to) {
      int present = levels == null ? to - from : ones(levels, from, to);
      if (present > 0) {
        values.skip(present);
      }
    }

    /** The values of the rows that have one. */
    ValuesReader values() {
      return values;
    }
  }

  private final ColumnDescriptor descriptor;
  private final ByteBufferInputStream in;
  private final ZstdDecompressCtx decompressor;
  private final long rows;
  private long rowsPassed;
  @Nullable private Dictionary dictionary;

  /**
   * @param bytes all of the chunk, in an array
   * @param rows how many it has to have
   */
  ColumnChunk(
      ColumnDescriptor descriptor, ByteBuffer bytes, long rows, ZstdDecompressCtx decompressor) {
    this.descriptor = descriptor;
    this.rows = rows;
    this.in = ByteBufferInputStream.wrap(bytes);
    this.decompressor = decompressor;
  }

  /**
   * The next page of rows.
   *
   * @throws IOException when there is none, or it cannot be made sense of
   */
  Page next() throws IOException {
    while (in.available() > 0) {
      PageHeader header = Util.readPageHeader(in);
      byte[] content = content(header);
      if (header.getType() == PageType.DATA_PAGE) {
        return page(header.getData_page_header(), ByteBuffer.wrap(content));
      }
      if (header.getType() != PageType.DICTIONARY_PAGE) {
        throw new IOException("a page is of type " + header.getType());
      }
      int values = header.getDictionary_page_header().getNum_values();
      dictionary =
          Encoding.PLAIN.initDictionary(
              descriptor, new DictionaryPage(BytesInput.from(content), values, Encoding.PLAIN));
    }
    throw anotherNumberOfRows();
  }

  private byte[] content(PageHeader header) throws IOException {
    ByteBuffer stored = in.slice(header.getCompressed_page_size());
    byte[] content = new byte[header.getUncompressed_page_size()];
    int length =
        decompressor.decompressByteArray(
            content,
            0,
            content.length,
            stored.array(),
            stored.arrayOffset() + stored.position(),
            stored.remaining());
    if (length != content.length) {
      throw new IOException("a page has " + length + " bytes and not " + content.length);
    }
    return content;
  }

  private Page page(DataPageHeader header, ByteBuffer content) throws IOException {
    int rowsOfPage = header.getNum_values();
    rowsPassed += rowsOfPage;
    if (rowsPassed > rows || (rowsPassed == rows && in.available() > 0)) {
      throw anotherNumberOfRows();
    }
    int[] levels = null;
    int present = rowsOfPage;
    if (descriptor.getMaxDefinitionLevel() > 0) {
      if (header.getDefinition_level_encoding() != org.apache.parquet.format.Encoding.RLE) {
        throw new IOException("NULLs are encoded as " + header.getDefinition_level_encoding());
      }
      int length = content.order(ByteOrder.LITTLE_ENDIAN).getInt();
      ByteBuffer encoded = content.slice();
      encoded.limit(length);
      content.position(content.position() + length);
      levels = RunLengths.decode(encoded, 1, rowsOfPage);
      present = ones(levels, 0, rowsOfPage);
    }
    ValuesReader values = null;
    if (present > 0) {
      values = reader(Encoding.valueOf(header.getEncoding().name()));
      values.initFromPage(present, ByteBufferInputStream.wrap(content.slice()));
    }
    return new Page(rowsOfPage, present == rowsOfPage ? null : levels, values);
  }

  private IOException anotherNumberOfRows() {
    return new IOException(
        "the column "
            + descriptor.getPath()[0]
            + " of a row group has another number of rows than "
            + rows);
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
