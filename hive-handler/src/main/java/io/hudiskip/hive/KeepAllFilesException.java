/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive;

/** Nothing is skipped in this scan; the message says why, for people. */
final class KeepAllFilesException extends Exception {
  private static final long serialVersionUID = 1L;

  KeepAllFilesException(String reason) {
    super(reason);
  }

  KeepAllFilesException(String reason, Throwable cause) {
    super(reason, cause);
  }
}
