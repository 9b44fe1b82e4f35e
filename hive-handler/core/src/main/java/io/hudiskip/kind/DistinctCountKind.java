// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.kind;

import io.hudiskip.statistics.Content;
import io.hudiskip.statistics.ValueSketch;
import java.util.Collections;
import java.util.Optional;
import java.util.Set;

/** {@code ndv}: a mergeable count of the distinct values, which skips no file. */
final class DistinctCountKind implements IndexKind {
  @Override
  public String name() {
    return NDV;
  }

  @Override
  public Set<Answer> answers() {
    return Collections.emptySet();
  }

  @Override
  public Optional<Content> read(byte[] content) {
    return ValueSketch.of(content);
  }
}
