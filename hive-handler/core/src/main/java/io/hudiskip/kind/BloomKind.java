// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.kind;

import io.hudiskip.statistics.Content;
import io.hudiskip.statistics.ValueBloomFilter;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/** {@code bloom}: a Bloom filter of the values. */
final class BloomKind implements IndexKind {
  private static final Set<Answer> ANSWERS =
      Collections.unmodifiableSet(EnumSet.of(Answer.SINGLE_VALUES));

  @Override
  public String name() {
    return "bloom";
  }

  @Override
  public Set<Answer> answers() {
    return ANSWERS;
  }

  @Override
  public Optional<Content> read(byte[] content) {
    return ValueBloomFilter.of(content).map(filter -> filter);
  }
}
