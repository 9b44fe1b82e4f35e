// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.statistics;

import javax.annotation.Nullable;

/** One column's statistics over a list of files. Serves one evaluation in one thread. */
public interface ColumnVector {

  /** The statistics in the file at this position; null when there are none. */
  @Nullable
  ColumnStatistics range(int file);
}
