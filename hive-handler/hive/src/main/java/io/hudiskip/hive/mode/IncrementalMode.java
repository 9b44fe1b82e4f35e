// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.mode;

import io.hudiskip.hive.listing.IncrementalListing;
import io.hudiskip.hive.listing.SelectedCommits;
import io.hudiskip.hive.table.HudiTable;
import io.hudiskip.hive.table.UnreadableTableException;
import java.io.IOException;
import java.util.List;
import org.apache.hudi.common.model.FileSlice;
import org.apache.hudi.common.table.HoodieTableConfig;

/**
 * The snapshot at the end of a range of commits, limited to rows whose {@code _hoodie_commit_time}
 * belongs to a commit of the range.
 */
final class IncrementalMode extends QueryMode {
  private final SelectedCommits commits;

  private IncrementalMode(SelectedCommits commits) {
    this.commits = commits;
  }

  static IncrementalMode of(HudiTable table, QuerySettings settings)
      throws UnreadableTableException {
    SelectedCommits commits = CommitSelector.select(table.metaClient(), settings);
    if (!table.metaClient().getTableConfig().populateMetaFields()) {
      throw new UnreadableTableException(
          String.format(
              "%s was written with %s=false: its rows do not record their commits, so it"
                  + " cannot be read incrementally",
              table.name(), HoodieTableConfig.POPULATE_META_FIELDS.key()));
    }
    return new IncrementalMode(commits);
  }

  @Override
  public ReadState state(HudiTable table) {
    return ReadState.ofCommits(commits.until(), commits.requestedTimes());
  }

  @Override
  public List<FileSlice> slices(HudiTable table) throws IOException, UnreadableTableException {
    table.columns(); // refuses what a listing of a snapshot would refuse
    return new IncrementalListing(table.metaClient(), table.lastCommits(), commits).slices();
  }
}
