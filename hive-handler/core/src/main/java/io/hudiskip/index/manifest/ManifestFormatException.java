// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.index.manifest;

/** A manifest is damaged, or of a version that this build cannot read; the message says which. */
public final class ManifestFormatException extends Exception {
  private static final long serialVersionUID = 1L;

  public ManifestFormatException(String reason) {
    super(reason);
  }

  public ManifestFormatException(String reason, Throwable cause) {
    super(reason, cause);
  }
}
