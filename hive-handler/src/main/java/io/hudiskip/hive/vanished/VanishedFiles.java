/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.vanished;

import io.hudiskip.hive.scan.SliceSplit;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.InputSplit;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hudi.common.model.FileSlice;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says why a file that was there when a table was listed cannot be opened any more. */
public final class VanishedFiles {
  private static final Logger LOG = LoggerFactory.getLogger(VanishedFiles.class);

  private VanishedFiles() {}

  /**
   * Why a split could not be opened; empty if its files are all there. The exception has no cause,
   * since Hive takes some causes for an empty table.
   *
   * @param failure what was thrown
   */
  public static Optional<IOException> explain(InputSplit split, JobConf job, Exception failure) {
    if (split instanceof SliceSplit) {
      try {
        SliceSplit opened = (SliceSplit) split;
        for (Path file : files(opened)) {
          if (!file.getFileSystem(job).exists(file)) {
            LOG.info("{} is gone", file, failure);
            String fate =
                FateOfFiles.of(job, opened.table().toString(), file.getName())
                    .orElse("it was there when the query listed " + opened.table());
            return Optional.of(
                new IOException(file + " is gone: " + fate + ". Run the query again"));
          }
        }
      } catch (IOException | RuntimeException e) {
        LOG.debug("It is not known what became of {}", split, e);
      }
    }
    return Optional.empty();
  }

  /** Those that readers of the split open. */
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
}
