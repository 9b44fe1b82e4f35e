// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.kind;

import io.hudiskip.compile.statistics.Content;
import io.hudiskip.compile.statistics.ValueBloomFilter;
import java.util.Collections;
import java.util.Optional;
import java.util.Set;

/** {@code bloom}: a Bloom filter of the values. */
final class BloomKind implements IndexKind {
  @Override
  public String name() {
    return "bloom";
  }

  @Override
  public Set<Answer> answers() {
    return Collections.singleton(Answer.SINGLE_VALUES);
  }

  @Override
  public Optional<Content> read(byte[] content) {
    return ValueBloomFilter.of(content);
  }
}
