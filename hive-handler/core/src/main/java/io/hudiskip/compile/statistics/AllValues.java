// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.statistics;

import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** The complete set of a column's values. Immutable. */
public final class AllValues implements Content {
  private final Optional<List<byte[]>> values;

  /** {@code encoded} is in any order; kept, not copied. */
  public AllValues(List<byte[]> encoded) {
    this.values = Optional.of(Collections.unmodifiableList(encoded));
  }

  @Override
  public Optional<List<byte[]>> allValues() {
    return values;
  }
}
