// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.table.failure;

import java.io.IOException;

/**
 * Fails a query, whatever is retried; the message says why and what to do. It has neither a cause
 * nor a stack trace: Hive shows both to the person who waits for the answer, once for each of its
 * layers, and takes some causes for an empty table. Log them where it is created.
 */
public final class ReadFailedException extends IOException {
  private static final long serialVersionUID = 1L;

  public ReadFailedException(String message) {
    super(message.replaceAll("\\s+", " "));
  }

  @Override
  public synchronized Throwable fillInStackTrace() {
    return this;
  }

  /** The message alone, since exceptions that Hive makes of this one begin with it. */
  @Override
  @SuppressWarnings("OverrideThrowableToString") // the name of the class is what it leaves out
  public String toString() {
    return getMessage();
  }
}
