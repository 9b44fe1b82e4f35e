// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.table;

/** The handler would misread the table; the message says why and what to do instead. */
public final class UnreadableTableException extends Exception {
  private static final long serialVersionUID = 1L;

  public UnreadableTableException(String message) {
    super(message);
  }

  public UnreadableTableException(String message, Throwable cause) {
    super(message, cause);
  }
}
