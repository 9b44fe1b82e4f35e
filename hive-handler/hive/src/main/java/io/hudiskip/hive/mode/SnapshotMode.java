// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.mode;

import io.hudiskip.hive.listing.SnapshotListing;
import io.hudiskip.hive.table.HudiTable;
import io.hudiskip.hive.table.UnreadableTableException;
import java.io.IOException;
import java.util.List;
import javax.annotation.Nullable;
import org.apache.hudi.common.model.FileSlice;

/** A committed state of a table, latest or past, with or without rows in logs. */
final class SnapshotMode extends QueryMode {
  @Nullable private final String instant;
  private final boolean isReadOptimized;

  /** {@code instant} is the last commit to read; null for all. */
  SnapshotMode(@Nullable String instant, boolean isReadOptimized) {
    this.instant = instant;
    this.isReadOptimized = isReadOptimized;
  }

  @Override
  public boolean isLatestSnapshot() {
    return instant == null && !isReadOptimized;
  }

  @Override
  public ReadState state(HudiTable table) {
    return ReadState.until(
        instant == null
            ? SnapshotListing.timeline(table.metaClient())
                .lastInstant()
                .map(last -> last.requestedTime())
                .orElse("")
            : instant);
  }

  @Override
  public List<FileSlice> slices(HudiTable table) throws IOException, UnreadableTableException {
    return table.slices(instant, isReadOptimized);
  }
}
