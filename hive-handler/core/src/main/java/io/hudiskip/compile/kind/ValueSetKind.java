// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.kind;

import io.hudiskip.compile.statistics.AllValues;
import io.hudiskip.compile.statistics.Content;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** {@code values}: all distinct values. */
final class ValueSetKind implements IndexKind {
  private static final int CONTINUES = 0x80;
  private static final int LENGTH_BITS = 7;
  private static final int MAX_SHIFT = 28;

  @Override
  public String name() {
    return "values";
  }

  @Override
  public Set<Answer> answers() {
    return Collections.singleton(Answer.ALL_VALUES);
  }

  /** Decodes values, each preceded by its length as unsigned LEB128. */
  @Override
  public Optional<Content> read(byte[] content) {
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
    return Optional.of(new AllValues(values));
  }
}
