/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.catalogue;

import io.hudiskip.catalogue.FoundPartitions;
import io.hudiskip.hive.table.HudiTable;
import io.hudiskip.hive.table.TableTotals;
import io.hudiskip.hive.table.UnreadableTableException;
import io.hudiskip.index.LiveTotals;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hudi.common.model.FileSlice;
import org.apache.hudi.common.model.HoodieTableType;

/**
 * The slices of the latest state of a copy-on-write table in the partitions that a plan leaves of a
 * catalogue.
 *
 * <p>No row is lost: a partition with a row for which the filter is TRUE has either been changed by
 * a commit since the catalogue's generation, which names it, so that it is listed; or it has the
 * files that it had then. These the catalogue has, with values that all their rows have, so that
 * the plan leaves the partition, or without a key, so that every plan does.
 */
public final class PlannedListing {
  private PlannedListing() {}

  /**
   * Lists the partitions that a plan has left, and those that have changed.
   *
   * @param found of the catalogue
   * @throws UnknownChangesException when the catalogue does not say it, and why
   */
  public static Candidates of(HudiTable table, FoundPartitions found)
      throws UnknownChangesException, UnreadableTableException, IOException {
    if (table.metaClient().getTableType() != HoodieTableType.COPY_ON_WRITE) {
      // A publication has the values of base files, and logs may have others.
      throw new UnknownChangesException("it is a merge-on-read table");
    }
    table.columns(); // refused here as it is where the table is listed
    Set<String> partitions =
        new TreeSet<>(
            TimelineChanges.partitionsSince(table.metaClient(), found.generation().seen()));
    partitions.addAll(found.paths());
    List<FileSlice> slices =
        partitions.isEmpty() ? Collections.emptyList() : table.latestSlices(partitions);
    LiveTotals live = found.generation().live();
    return Candidates.catalogued(slices, TableTotals.of(live.files(), live.bytes()));
  }
}
