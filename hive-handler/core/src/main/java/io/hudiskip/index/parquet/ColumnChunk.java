// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.index.parquet;

import com.github.luben.zstd.ZstdDecompressCtx;
import java.io.IOException;
import java.nio.ByteBuffer;
import javax.annotation.Nullable;
import org.apache.parquet.bytes.ByteBufferInputStream;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.Dictionary;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.page.DictionaryPage;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.PageType;
import org.apache.parquet.format.Util;

/** The pages of one column chunk, in order. */
final class ColumnChunk {
  private final ColumnDescriptor descriptor;
  private final ByteBufferInputStream in;
  private final ZstdDecompressCtx decompressor;
  private final long rows;
  private long rowsPassed;
  @Nullable private Dictionary dictionary;

  /** {@code bytes} are the whole chunk, in an array, which must have {@code rows} rows. */
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
   * @throws IOException when there is none, or it is malformed
   */
  DataPage next() throws IOException {
    while (in.available() > 0) {
      PageHeader header = Util.readPageHeader(in);
      ByteBuffer stored = in.slice(header.getCompressed_page_size());
      if (header.getType() == PageType.DATA_PAGE) {
        DataPage page =
            new DataPage(
                descriptor,
                header.getData_page_header(),
                () -> content(header, stored),
                dictionary);
        rowsPassed += page.rows();
        if (rowsPassed > rows || (rowsPassed == rows && in.available() > 0)) {
          throw wrongRowCount();
        }
        return page;
      }
      if (header.getType() != PageType.DICTIONARY_PAGE) {
        throw new IOException("a page has the unknown type " + header.getType());
      }
      dictionary = dictionary(header, content(header, stored));
    }
    throw wrongRowCount();
  }

  private Dictionary dictionary(PageHeader header, byte[] content) throws IOException {
    int values = header.getDictionary_page_header().getNum_values();
    return Encoding.PLAIN.initDictionary(
        descriptor, new DictionaryPage(BytesInput.from(content), values, Encoding.PLAIN));
  }

  private byte[] content(PageHeader header, ByteBuffer stored) throws IOException {
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
      throw new IOException("a page has " + length + " bytes instead of " + content.length);
    }
    return content;
  }

  private IOException wrongRowCount() {
    return new IOException(
        "the column "
            + descriptor.getPath()[0]
            + " of a row group does not have the expected number of rows, "
            + rows);
  }
}
