// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.index;

import java.util.Objects;

/** A base file of a listing. */
public final class BaseFile {
  private final String relativePath;
  private final long size;

  public BaseFile(String relativePath, long size) {
    this.relativePath = Objects.requireNonNull(relativePath, "relativePath");
    this.size = size;
  }

  /** Path below the table root, with {@code /} separators. */
  public String relativePath() {
    return relativePath;
  }

  /** Path of the file's partition below the table root; empty if that is the root. */
  public String folder() {
    return relativePath.substring(0, Math.max(0, relativePath.lastIndexOf('/')));
  }

  /** Length in bytes, as listed. */
  public long size() {
    return size;
  }

  @Override
  public String toString() {
    return relativePath + " (" + size + " bytes)";
  }
}
