/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.table;

import io.hudiskip.hive.listing.IncrementalListing;
import io.hudiskip.hive.listing.SliceListing;
import java.util.List;
import org.apache.hudi.common.table.HoodieTableConfig;
import org.apache.hudi.common.table.timeline.HoodieInstant;

/** The rows that a range of commits has written, as they were after the last of them. */
final class IncrementalMode extends QueryMode {
  private final List<HoodieInstant> commits;

  private IncrementalMode(List<HoodieInstant> commits) {
    this.commits = commits;
  }

  static IncrementalMode of(HudiTable table, QuerySettings settings)
      throws UnreadableTableException {
    List<HoodieInstant> commits = CommitRange.of(table.metaClient(), settings);
    if (!table.metaClient().getTableConfig().populateMetaFields()) {
      throw new UnreadableTableException(
          table.name()
              + " was written with "
              + HoodieTableConfig.POPULATE_META_FIELDS.key()
              + "=false: its rows do not say which commit has written them, and so it cannot be"
              + " read incrementally");
    }
    return new IncrementalMode(commits);
  }

  @Override
  public ReadState state(HudiTable table) {
    return ReadState.ofCommits(
        commits.isEmpty() ? "" : commits.get(commits.size() - 1).requestedTime(),
        CommitRange.requestedTimes(commits));
  }

  @Override
  public SliceListing listing(HudiTable table) {
    return new IncrementalListing(table.metaClient(), commits);
  }
}
