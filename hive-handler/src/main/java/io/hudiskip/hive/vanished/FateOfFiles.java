/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.vanished;

import io.hudiskip.hive.table.HudiTable;
import io.hudiskip.hive.table.UnreadableTableException;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hudi.common.fs.FSUtils;
import org.apache.hudi.common.table.HoodieTableMetaClient;
import org.apache.hudi.common.table.HoodieTableVersion;
import org.apache.hudi.common.table.timeline.HoodieInstant;
import org.apache.hudi.common.table.timeline.HoodieTimeline;
import org.apache.hudi.exception.HoodieException;
import org.apache.hudi.storage.StoragePath;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What became of files that a table no longer has, by its timeline. */
final class FateOfFiles {
  private static final Logger LOG = LoggerFactory.getLogger(FateOfFiles.class);

  private FateOfFiles() {}

  /**
   * What became of a file of the table at {@code location}; empty if the timeline does not say it.
   *
   * @param file name of a base file or a log file
   */
  static Optional<String> of(Configuration conf, String location, String file) {
    try {
      return of(HudiTable.open(conf, location).metaClient(), file);
    } catch (UnreadableTableException | HoodieException e) {
      LOG.debug("The timeline of {} does not say what became of {}", location, file, e);
      return Optional.empty();
    }
  }

  private static Optional<String> of(HoodieTableMetaClient table, String file) {
    boolean isLog = FSUtils.isLogFile(new StoragePath(file).getName());
    String instant =
        isLog
            ? FSUtils.getDeltaCommitTimeFromLogPath(new StoragePath(file))
            : FSUtils.getCommitTime(file);
    HoodieTimeline timeline = table.getActiveTimeline();
    HoodieTimeline commits = table.getCommitsTimeline().filterCompletedInstants();
    // Before table version 8 the name of a log has the instant of its base file.
    boolean isTakenBack =
        (isLog && table.getTableConfig().getTableVersion().lesserThan(HoodieTableVersion.EIGHT))
            || !(commits.containsInstant(instant) || commits.isBeforeTimelineStarts(instant));
    if (isTakenBack) {
      for (String action :
          new String[] {HoodieTimeline.RESTORE_ACTION, HoodieTimeline.ROLLBACK_ACTION}) {
        Optional<String> time = lastAfter(instant, timeline, action);
        if (time.isPresent()) {
          return Optional.of(
              table.getBasePath()
                  + (action.equals(HoodieTimeline.RESTORE_ACTION)
                      ? " was restored to an earlier state at "
                      : " had a commit rolled back at ")
                  + time.get()
                  + ", after the query listed it");
        }
      }
    }
    return lastAfter(instant, timeline, HoodieTimeline.CLEAN_ACTION)
        .map(
            time ->
                "the cleaner of "
                    + table.getBasePath()
                    + " removed it at "
                    + time
                    + ", because later commits had replaced it. Have the cleaner keep more commits"
                    + " (hoodie.clean.commits.retained) if queries take longer");
  }

  /** When an action was last requested after an instant. */
  private static Optional<String> lastAfter(
      String instant, HoodieTimeline timeline, String action) {
    return timeline
        .getInstantsAsStream()
        .filter(found -> found.getAction().equals(action))
        .map(HoodieInstant::requestedTime)
        .filter(time -> time.compareTo(instant) > 0)
        .max(String::compareTo);
  }
}
