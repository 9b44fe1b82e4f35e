/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.filter;

/** The filter exceeds a limit; the message says which. */
final class FilterLimitException extends Exception {
  private static final long serialVersionUID = 1L;

  FilterLimitException(String message) {
    super(message);
  }
}
