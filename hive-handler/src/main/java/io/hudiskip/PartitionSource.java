/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip;

import java.util.Locale;

/** What says which partitions of a table a filter can match. */
public enum PartitionSource {
  /** The statistics index, by the statistics of each file. */
  INDEX,

  /** Rows of an HBase table, where they are proved to know it; else the statistics index. */
  HBASE;

  /** The name as users write it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
