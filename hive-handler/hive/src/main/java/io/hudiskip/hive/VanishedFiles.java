// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive;

import io.hudiskip.scan.SliceSplit;
import io.hudiskip.table.HudiTable;
import io.hudiskip.table.UnreadableTableException;
import io.hudiskip.table.version.HudiVersions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.InputSplit;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hudi.common.fs.FSUtils;
import org.apache.hudi.common.model.FileSlice;
import org.apache.hudi.common.table.HoodieTableMetaClient;
import org.apache.hudi.common.table.timeline.HoodieInstant;
import org.apache.hudi.common.table.timeline.HoodieTimeline;
import org.apache.hudi.exception.HoodieException;
import org.apache.hudi.storage.StoragePath;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Explains why a listed file can no longer be opened, from the table's timeline. */
final class VanishedFiles {
  private static final Logger LOG = LoggerFactory.getLogger(VanishedFiles.class);

  private VanishedFiles() {}

  /** Why a split could not be opened, and what to do; empty if its files exist. */
  static Optional<String> explain(InputSplit split, JobConf job) {
    if (split instanceof SliceSplit) {
      try {
        SliceSplit opened = (SliceSplit) split;
        for (Path file : files(opened)) {
          if (!file.getFileSystem(job).exists(file)) {
            String removal =
                removal(job, opened.table().toString(), file.getName())
                    .orElse("it existed when the query listed " + opened.table());
            return Optional.of(file + " is gone: " + removal + ". Run the query again");
          }
        }
      } catch (IOException | RuntimeException e) {
        LOG.debug("Cannot determine what happened to {}", split, e);
      }
    }
    return Optional.empty();
  }

  /** The files that readers of the split open. */
  private static List<Path> files(SliceSplit split) {
    FileSlice slice = split.slice();
    List<Path> files = new ArrayList<>();
    if (slice.getBaseFile().isPresent()) {
      files.add(new Path(slice.getBaseFile().get().getPath()));
    }
    if (split.isMerged()) {
      files.addAll(
          slice
              .getLogFiles()
              .map(log -> new Path(log.getPath().toUri()))
              .collect(Collectors.toList()));
    }
    return files;
  }

  /**
   * What removed a file of the table at {@code location}; empty if the timeline does not tell.
   *
   * @param file name of a base file or a log file
   */
  private static Optional<String> removal(Configuration conf, String location, String file) {
    try {
      return removal(HudiTable.open(conf, location).metaClient(), file);
    } catch (UnreadableTableException | HoodieException e) {
      LOG.debug("The timeline of {} does not tell what happened to {}", location, file, e);
      return Optional.empty();
    }
  }

  private static Optional<String> removal(HoodieTableMetaClient table, String file) {
    boolean isLog = FSUtils.isLogFile(new StoragePath(file).getName());
    String instant =
        isLog
            ? FSUtils.getDeltaCommitTimeFromLogPath(new StoragePath(file))
            : FSUtils.getCommitTime(file);
    HoodieTimeline timeline = table.getActiveTimeline();
    HoodieTimeline commits = table.getCommitsTimeline().filterCompletedInstants();
    Optional<String> undone = Optional.empty();
    if ((isLog && HudiVersions.namesLogsByBaseInstant(table.getTableConfig()))
        || !(commits.containsInstant(instant) || commits.isBeforeTimelineStarts(instant))) {
      Optional<String> restored = lastAfter(instant, timeline.getRestoreTimeline());
      undone =
          restored.isPresent()
              ? restored.map(time -> " was restored to an earlier state at " + time)
              : lastAfter(instant, timeline.getRollbackTimeline())
                  .map(time -> " had a commit rolled back at " + time);
    }
    return undone.isPresent()
        ? undone.map(what -> table.getBasePath() + what + ", after the query listed it")
        : lastAfter(instant, timeline.getCleanerTimeline())
            .map(
                time ->
                    String.format(
                        "the cleaner of %s removed it at %s, because later commits had"
                            + " replaced it. If queries take longer, configure the cleaner to"
                            + " retain more commits (hoodie.clean.commits.retained)",
                        table.getBasePath(), time));
  }

  private static Optional<String> lastAfter(String instant, HoodieTimeline timeline) {
    return timeline
        .getInstantsAsStream()
        .map(HoodieInstant::requestedTime)
        .filter(time -> time.compareTo(instant) > 0)
        .max(String::compareTo);
  }
}
