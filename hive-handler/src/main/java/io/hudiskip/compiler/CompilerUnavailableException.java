/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.compiler;

/**
 * No compiled predicate is to be had; every file has to be kept. The message says what happened and
 * what can be done, for people, in one line.
 */
public final class CompilerUnavailableException extends Exception {
  private static final long serialVersionUID = 1L;

  /** What kind of failure it was; each kind is logged once in a while. */
  public enum Reason {
    /** The command cannot be run. */
    NOT_INSTALLED,
    /** The compiler was started and did not get ready. */
    START_FAILED,
    /** Nothing is started or connected to until a back-off is over. */
    BACKING_OFF,
    /** No connection to the address. */
    UNREACHABLE,
    /** No answer within the deadline. */
    TIMEOUT,
    /** The connection ended before the answer. */
    DISCONNECTED,
    /** The answer cannot be used. */
    INVALID_ANSWER,
    /** The request or the answer is above the limit. */
    TOO_LARGE,
    /** The compiler refused the request. */
    REFUSED,
    /** The calling thread was interrupted. */
    INTERRUPTED,
    /** The client was closed. */
    CLOSED
  }

  private final Reason reason;

  CompilerUnavailableException(Reason reason, String message, Throwable cause) {
    super(message, cause);
    this.reason = reason;
  }

  CompilerUnavailableException(Reason reason, String message) {
    this(reason, message, null);
  }

  /** The kind of failure. */
  public Reason reason() {
    return reason;
  }
}
