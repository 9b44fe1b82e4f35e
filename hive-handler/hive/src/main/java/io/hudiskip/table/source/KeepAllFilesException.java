// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.table.source;

/** Every file of the scan must be read; the message says why. */
public final class KeepAllFilesException extends Exception {
  private static final long serialVersionUID = 1L;

  private final int dynamicTerms;

  public KeepAllFilesException(String reason) {
    this(reason, null);
  }

  public KeepAllFilesException(String reason, Throwable cause) {
    this(reason, cause, 0);
  }

  private KeepAllFilesException(String reason, Throwable cause, int dynamicTerms) {
    super(reason, cause);
    this.dynamicTerms = dynamicTerms;
  }

  /**
   * A copy for a filter whose terms were dropped because their values are known only at run time.
   */
  public KeepAllFilesException withDynamicTerms(int terms) {
    return new KeepAllFilesException(getMessage(), this, terms);
  }

  /** Number of dropped terms. */
  public int dynamicTerms() {
    return dynamicTerms;
  }
}
