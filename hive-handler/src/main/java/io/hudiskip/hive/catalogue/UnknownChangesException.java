/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.catalogue;

/** It is not known how a table has changed since its index was updated: the table is listed. */
public final class UnknownChangesException extends Exception {
  private static final long serialVersionUID = 1L;

  /** Says why. */
  public UnknownChangesException(String reason) {
    super(reason);
  }

  UnknownChangesException(String reason, Throwable cause) {
    super(reason, cause);
  }
}
