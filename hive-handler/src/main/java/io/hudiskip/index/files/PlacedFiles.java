/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.index.files;

/** Base files that an expression is evaluated over, each with a position. */
public interface PlacedFiles {

  /** Number of files. */
  int count();

  /**
   * Where they are in a table of files.
   *
   * @param table one of those that this was made for
   */
  Placement placement(FileTable table);
}
