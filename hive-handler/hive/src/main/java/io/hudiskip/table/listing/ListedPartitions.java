// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.table.listing;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Chooses the partitions of a table that are listed. */
public interface ListedPartitions {
  ListedPartitions ALL = (paths, arePartitions) -> new ArrayList<>(paths);

  /**
   * The paths below which rows may be needed.
   *
   * @param paths relative to the table's root
   * @param arePartitions false if they may also be directories of partitions
   * @return in the same order
   */
  List<String> keeps(Collection<String> paths, boolean arePartitions);

  /** The partitions in which rows may be needed. */
  default List<String> keeps(Collection<String> partitions) {
    return keeps(partitions, true);
  }
}
