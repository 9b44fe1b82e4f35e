// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.settings;

import java.util.Locale;

/** Whether a way to read fewer files is used. */
public enum Switch {
  ON,
  OFF;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
