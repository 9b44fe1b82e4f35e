// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.index.parquet;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.parquet.bytes.ByteBufferInputStream;
import org.apache.parquet.column.Dictionary;
import org.apache.parquet.column.values.ValuesReader;
import org.apache.parquet.io.api.Binary;

/** Dictionary-encoded values; equal values are the same object. */
final class DictionaryValues extends ValuesReader {
  private final Dictionary dictionary;
  private int[] ids = new int[0];
  private int next;

  DictionaryValues(Dictionary dictionary) {
    this.dictionary = dictionary;
  }

  @Override
  public void initFromPage(int valueCount, ByteBufferInputStream in) throws IOException {
    ByteBuffer content = in.slice(in.available());
    ids = RunLengths.decode(content, content.get(), valueCount);
    next = 0;
  }

  /** How many of the next values are equal, up to {@code limit}, which is at least 1. */
  int repeats(int limit) {
    int end = next + limit;
    int last = next + 1;
    while (last < end && ids[last] == ids[next]) {
      last++;
    }
    return last - next;
  }

  @Override
  public int readInteger() {
    return dictionary.decodeToInt(ids[next++]);
  }

  @Override
  public long readLong() {
    return dictionary.decodeToLong(ids[next++]);
  }

  @Override
  public Binary readBytes() {
    return dictionary.decodeToBinary(ids[next++]);
  }

  @Override
  public void skip() {
    next++;
  }

  @Override
  public void skip(int count) {
    next += count;
  }
}
