/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive;

/**
 * The table cannot be read rightly through this handler; the message says why and what to do
 * instead.
 */
final class UnreadableTableException extends Exception {
  private static final long serialVersionUID = 1L;

  UnreadableTableException(String message) {
    super(message);
  }

  UnreadableTableException(String message, Throwable cause) {
    super(message, cause);
  }
}
