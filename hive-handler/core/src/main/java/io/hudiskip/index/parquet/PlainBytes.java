// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.index.parquet;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.parquet.bytes.ByteBufferInputStream;
import org.apache.parquet.column.values.ValuesReader;
import org.apache.parquet.io.ParquetDecodingException;
import org.apache.parquet.io.api.Binary;

/** Length-prefixed byte strings. Parquet's own reader creates several objects for each. */
final class PlainBytes extends ValuesReader {
  private byte[] content = new byte[0];
  private int position;
  private int end;

  @Override
  public void initFromPage(int valueCount, ByteBufferInputStream in) throws IOException {
    // Pages are decompressed into arrays.
    ByteBuffer rest = in.slice(in.available());
    content = rest.array();
    position = rest.arrayOffset() + rest.position();
    end = rest.arrayOffset() + rest.limit();
  }

  @Override
  public Binary readBytes() {
    int length = nextLength();
    Binary value = Binary.fromConstantByteArray(content, position, length);
    position += length;
    return value;
  }

  @Override
  public void skip() {
    int length = nextLength();
    position += length;
  }

  @Override
  public void skip(int count) {
    for (int i = 0; i < count; i++) {
      skip();
    }
  }

  /** Little-endian. */
  private int nextLength() {
    int length =
        (content[position] & 0xFF)
            | (content[position + 1] & 0xFF) << 8
            | (content[position + 2] & 0xFF) << 16
            | content[position + 3] << 24;
    position += Integer.BYTES;
    if (length < 0 || length > end - position) {
      throw new ParquetDecodingException("a value of " + length + " bytes extends beyond its page");
    }
    return length;
  }
}
