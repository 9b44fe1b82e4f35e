/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.scan;

/** Every file of the scan has to be read; the message says why. */
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

  /** The same for a filter of which terms were left out: their values are known at run time. */
  KeepAllFilesException withDynamicTerms(int terms) {
    return new KeepAllFilesException(getMessage(), this, terms);
  }

  /** Number of terms that were left out of the filter. */
  int dynamicTerms() {
    return dynamicTerms;
  }
}
