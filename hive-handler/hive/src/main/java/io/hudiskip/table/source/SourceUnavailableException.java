// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.table.source;

/** A source cannot list the table's files; the message says why, and another source is asked. */
public final class SourceUnavailableException extends Exception {
  private static final long serialVersionUID = 1L;

  public SourceUnavailableException(String reason) {
    super(reason);
  }

  SourceUnavailableException(String reason, Throwable cause) {
    super(reason, cause);
  }
}
