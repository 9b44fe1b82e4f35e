// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.table.listing;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Keeps some evenly spaced partitions of a table, the last one too, which is often the newest and
 * largest, to estimate the size of all without listing all: of each level of directories, or of all
 * partitions where their names are known, at most {@value #MOST}. For one listing; not thread-safe.
 */
public final class PartitionSample implements ListedPartitions {
  private static final int MOST = 64;

  private double scale = 1;

  @Override
  public List<String> keeps(Collection<String> paths, boolean arePartitions) {
    List<String> all = new ArrayList<>(paths);
    if (all.size() <= MOST) {
      return all;
    }
    scale *= (double) all.size() / MOST;
    List<String> kept = new ArrayList<>();
    for (int i = 0; i < MOST; i++) {
      kept.add(all.get((int) (i * (all.size() - 1L) / (MOST - 1))));
    }
    return kept;
  }

  /** How many times as much as in the partitions kept is in all; 1 if all were kept. */
  public double scale() {
    return scale;
  }
}
