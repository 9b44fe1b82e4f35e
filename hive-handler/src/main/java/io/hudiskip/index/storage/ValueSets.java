/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.index.storage;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** All distinct values of a column in a file, as the index writes them. */
final class ValueSets {
  private static final int CONTINUES = 0x80;
  private static final int LENGTH_BITS = 7;
  private static final int MAX_SHIFT = 28;

  private ValueSets() {}

  /**
   * Takes a content apart: values, each preceded by its length as unsigned LEB128.
   *
   * @return empty when it is not of that form: it says nothing
   */
  static Optional<List<byte[]>> decode(byte[] content) {
    List<byte[]> values = new ArrayList<>();
    int position = 0;
    while (position < content.length) {
      int length = 0;
      int shift = 0;
      int next;
      do {
        if (position == content.length || shift > MAX_SHIFT) {
          return Optional.empty();
        }
        next = content[position++] & 0xFF;
        length |= (next & ~CONTINUES) << shift;
        shift += LENGTH_BITS;
      } while ((next & CONTINUES) != 0);
      if (length < 0 || length > content.length - position) {
        return Optional.empty();
      }
      values.add(Arrays.copyOfRange(content, position, position + length));
      position += length;
    }
    return Optional.of(values);
  }
}
