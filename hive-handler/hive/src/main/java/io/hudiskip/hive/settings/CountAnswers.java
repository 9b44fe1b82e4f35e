// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.settings;

import java.util.Locale;

/** Whether a table's rows are counted by what is known of its files, without reading them. */
public enum CountAnswers {
  ON,
  OFF;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
