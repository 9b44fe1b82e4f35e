// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.settings;

import java.util.Locale;

/** What happens to files that a filter cannot match. Ordered from the most cautious mode. */
public enum SkippingMode {
  /** They are read like all others, and nothing is computed. */
  OFF,

  /** They are read, and each of their rows that matches the filter is reported as an error. */
  SHADOW,

  /** They are not read. */
  ON;

  static SkippingMode moreCautious(SkippingMode one, SkippingMode other) {
    return one.compareTo(other) <= 0 ? one : other;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
