/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip;

import java.util.Locale;
import java.util.Optional;

/** What becomes of the files that a filter cannot match. Ordered from the most cautious mode. */
public enum SkippingMode {
  /** They are read like all others, and nothing is computed. */
  OFF,

  /** They are read, and each row in them for which the filter is true is reported as a mistake. */
  SHADOW,

  /** They are not read. */
  ON;

  /** The mode of this name, in upper or lower case; empty if there is none. */
  static Optional<SkippingMode> named(String name) {
    for (SkippingMode mode : values()) {
      if (mode.name().equalsIgnoreCase(name)) {
        return Optional.of(mode);
      }
    }
    return Optional.empty();
  }

  static SkippingMode moreCautious(SkippingMode one, SkippingMode other) {
    return one.compareTo(other) <= 0 ? one : other;
  }

  /** The name as users write it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
