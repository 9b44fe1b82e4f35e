/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.statistics;

import javax.annotation.Nullable;

/** One column's statistics over a list of files. Serves one evaluation, in one thread. */
public interface ColumnVector {

  /**
   * What is known of the column in a file; null for nothing.
   *
   * @param file position in the list
   */
  @Nullable
  ColumnStatistics range(int file);
}
