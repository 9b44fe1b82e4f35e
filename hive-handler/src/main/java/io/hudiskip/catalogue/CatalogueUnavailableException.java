/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.catalogue;

/** A catalogue does not say which partitions a plan leaves; the message says why. */
public final class CatalogueUnavailableException extends Exception {
  private static final long serialVersionUID = 1L;

  /** Says why. */
  public CatalogueUnavailableException(String reason) {
    super(reason);
  }

  /** Says why. */
  public CatalogueUnavailableException(String reason, Throwable cause) {
    super(reason, cause);
  }
}
