// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.filter;

/** The filter exceeds a limit; the message says which. */
public final class FilterLimitException extends Exception {
  private static final long serialVersionUID = 1L;

  FilterLimitException(String message) {
    super(message);
  }
}
