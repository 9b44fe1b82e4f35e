// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.index;

/**
 * The statistics index cannot be used and every file must be kept; the message names the remedy.
 */
public final class IndexUnavailableException extends Exception {
  private static final long serialVersionUID = 1L;

  public IndexUnavailableException(String reason) {
    super(reason);
  }

  public IndexUnavailableException(String reason, Throwable cause) {
    super(reason, cause);
  }
}
