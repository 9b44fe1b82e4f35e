// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.table.catalogue;

/** A catalogue cannot find a plan's partitions; the message says why. */
public final class CatalogueUnavailableException extends Exception {
  private static final long serialVersionUID = 1L;

  public CatalogueUnavailableException(String reason) {
    super(reason);
  }

  public CatalogueUnavailableException(String reason, Throwable cause) {
    super(reason, cause);
  }
}
