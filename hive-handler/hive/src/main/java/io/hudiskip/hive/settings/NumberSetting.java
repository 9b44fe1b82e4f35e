// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.settings;

import org.apache.hadoop.conf.Configuration;

/** A setting that is a whole number within bounds. Immutable. */
final class NumberSetting {
  private final String name;
  private final long byDefault;
  private final long min;
  private final long max;

  NumberSetting(String name, long byDefault, long min, long max) {
    this.name = name;
    this.byDefault = byDefault;
    this.min = min;
    this.max = max;
  }

  /** The number; the default where it is not set, or malformed, which is reported. */
  long read(Configuration conf) {
    String text = conf.get(name, "").trim();
    if (text.isEmpty()) {
      return byDefault;
    }
    try {
      long value = Long.parseLong(text);
      if (value >= min && value <= max) {
        return value;
      }
    } catch (NumberFormatException ignored) {
      // Reported below, like a number out of bounds.
    }
    InvalidValues.report(
        name, text, "a whole number from " + min + " to " + max, Long.toString(byDefault));
    return byDefault;
  }
}
