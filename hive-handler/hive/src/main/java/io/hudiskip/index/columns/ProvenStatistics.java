// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.index.columns;

import io.hudiskip.compile.statistics.StatisticsTable;
import java.util.Map;

/** What a metadata table proves of a listing's files, and why it proves no more. Immutable. */
public final class ProvenStatistics {
  private final StatisticsTable table;
  private final Map<String, String> obstacles;

  /** Both are kept, not copied. */
  ProvenStatistics(StatisticsTable table, Map<String, String> obstacles) {
    this.table = table;
    this.obstacles = obstacles;
  }

  /** The statistics by file of the listing. */
  public StatisticsTable table() {
    return table;
  }

  /**
   * Why there are no statistics of a column, or not of each base file, for display; a column with
   * statistics of all of them is missing.
   */
  public Map<String, String> obstacles() {
    return obstacles;
  }
}
