// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.settings;

/**
 * A setting has an unknown value; the message names the known ones. Unchecked, because Hive reads a
 * table's settings through a method that declares no exception.
 */
public final class InvalidSettingException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public InvalidSettingException(String message) {
    super(message);
  }

  /**
   * @param owner of the setting: session or table
   * @param known the known values, for display
   */
  InvalidSettingException(String owner, String name, String value, String known) {
    super("the " + owner + "'s " + name + "=" + value + " is unknown: use " + known);
  }
}
