// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.client;

import javax.annotation.Nullable;

/**
 * No compiled predicate is available; every file must be kept. The message is one line for display:
 * what happened and what to do.
 */
public final class CompilerUnavailableException extends Exception {
  private static final long serialVersionUID = 1L;

  /** The kind of failure; each kind is logged at intervals. */
  public enum Reason {
    /** The command cannot be run. */
    NOT_INSTALLED,
    /** The compiler started but did not become ready. */
    START_FAILED,
    /** A back-off is in progress. */
    BACKING_OFF,
    UNREACHABLE,
    TIMEOUT,
    DISCONNECTED,
    /** The answer is unusable. */
    INVALID_ANSWER,
    /** The request or answer exceeds the size limit. */
    TOO_LARGE,
    REFUSED,
    INTERRUPTED,
    CLOSED
  }

  private final Reason reason;

  public CompilerUnavailableException(Reason reason, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.reason = reason;
  }

  CompilerUnavailableException(Reason reason, String message) {
    this(reason, message, null);
  }

  /** The thread was interrupted, and stays so. */
  static CompilerUnavailableException interrupted(Exception cause) {
    Thread.currentThread().interrupt();
    return new CompilerUnavailableException(
        Reason.INTERRUPTED, "interrupted while compiling a filter", cause);
  }

  static CompilerUnavailableException closed() {
    return new CompilerUnavailableException(
        Reason.CLOSED, "the predicate compiler's client was closed");
  }

  public Reason reason() {
    return reason;
  }
}
