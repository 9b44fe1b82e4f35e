// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.index.files;

/** Base files over which an expression is evaluated, addressed by position. */
public interface PlacedFiles {

  int count();

  /** The files' ordinals in {@code table}, which must be one of those this was made for. */
  Placement placement(FileTable table);
}
