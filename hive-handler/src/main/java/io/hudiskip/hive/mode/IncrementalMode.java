/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.mode;

import io.hudiskip.hive.listing.CommitsOfRange;
import io.hudiskip.hive.listing.IncrementalListing;
import io.hudiskip.hive.listing.SliceListing;
import io.hudiskip.hive.table.HudiTable;
import io.hudiskip.hive.table.UnreadableTableException;
import org.apache.hudi.common.table.HoodieTableConfig;

/**
 * The rows of the snapshot as of the end of a range of commits whose {@code _hoodie_commit_time} is
 * that of a commit of the range.
 */
final class IncrementalMode extends QueryMode {
  private final CommitsOfRange range;

  private IncrementalMode(CommitsOfRange range) {
    this.range = range;
  }

  static IncrementalMode of(HudiTable table, QuerySettings settings)
      throws UnreadableTableException {
    CommitsOfRange range = CommitRange.of(table.metaClient(), settings);
    if (!table.metaClient().getTableConfig().populateMetaFields()) {
      throw new UnreadableTableException(
          table.name()
              + " was written with "
              + HoodieTableConfig.POPULATE_META_FIELDS.key()
              + "=false: its rows do not say which commit has written them, and so it cannot be"
              + " read incrementally");
    }
    return new IncrementalMode(range);
  }

  @Override
  public ReadState state(HudiTable table) {
    return ReadState.ofCommits(range.until(), range.requestedTimes());
  }

  @Override
  public SliceListing listing(HudiTable table) {
    return new IncrementalListing(table.metaClient(), range);
  }
}
