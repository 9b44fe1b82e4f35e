/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip;

/**
 * A setting has a value that is not one of its values; the message says which ones there are.
 * Unchecked, because Hive asks for a table's settings through a method that declares no exception;
 * it shows the name of this class before the message.
 */
public final class InvalidSettingException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public InvalidSettingException(String message) {
    super(message);
  }
}
