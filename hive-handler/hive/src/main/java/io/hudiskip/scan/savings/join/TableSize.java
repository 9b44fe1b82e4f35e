// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.savings.join;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.Map;
import javax.annotation.Nullable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hive.common.StatsSetupConst;
import org.apache.hadoop.hive.ql.metadata.Table;
import org.apache.hadoop.hive.ql.stats.Partish;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How large a table is, as far as that is known: a guess about time. Immutable. */
final class TableSize {
  static final TableSize UNKNOWN = new TableSize(Collections.emptyMap(), null);

  private static final Logger LOG = LoggerFactory.getLogger(TableSize.class);

  /** 100,000 rows are rarely smaller. */
  private static final long MOST_BYTES = 1 << 20;

  private static final int MOST_FILES = 100;

  /** Each costs a request to the storage while Hive plans. */
  private static final int MOST_DIRECTORIES = 16;

  private final Map<String, String> statistics;

  /** Where the files are; null if the statistics know of them, or nothing does. */
  @Nullable private final Path directory;

  private TableSize(Map<String, String> statistics, @Nullable Path directory) {
    this.statistics = statistics;
    this.directory = directory;
  }

  static TableSize of(Table table) {
    if (!table.isNonNative()) {
      return new TableSize(table.getParameters(), table.getPath());
    }
    return table.getStorageHandler().canProvideBasicStatistics()
        ? new TableSize(table.getStorageHandler().getBasicStatistics(Partish.buildFor(table)), null)
        : UNKNOWN;
  }

  /** 0 if unknown. */
  long rows() {
    return number(StatsSetupConst.ROW_COUNT);
  }

  /** Whether the files show that the rows are few; false if that is unknown. */
  boolean isOfFewSmallFiles(Configuration session) {
    if (directory == null) {
      return areFewAndSmall(number(StatsSetupConst.NUM_FILES), number(StatsSetupConst.TOTAL_SIZE));
    }
    try {
      // Hive's statistics of external files are as old as their last ANALYZE.
      return hasFewSmallFiles(directory.getFileSystem(session), directory);
    } catch (IOException | RuntimeException e) {
      LOG.debug("Cannot list {}", directory, e);
      return false;
    }
  }

  private static boolean hasFewSmallFiles(FileSystem storage, Path root) throws IOException {
    Deque<Path> open = new ArrayDeque<>(Collections.singleton(root));
    int files = 0;
    long bytes = 0;
    for (int listed = 0; !open.isEmpty(); listed++) {
      if (listed == MOST_DIRECTORIES || files > MOST_FILES) {
        return false;
      }
      RemoteIterator<FileStatus> entries = storage.listStatusIterator(open.remove());
      while (entries.hasNext() && files <= MOST_FILES) {
        FileStatus entry = entries.next();
        if (entry.isDirectory()) {
          open.add(entry.getPath());
        } else {
          files++;
          bytes += entry.getLen();
        }
      }
    }
    return areFewAndSmall(files, bytes);
  }

  /** False if there is none: the rows may be in partitions elsewhere. */
  private static boolean areFewAndSmall(long files, long bytes) {
    return bytes > 0 && files <= MOST_FILES && bytes <= MOST_BYTES;
  }

  private long number(String name) {
    try {
      return Math.max(0, Long.parseLong(statistics.getOrDefault(name, "0")));
    } catch (NumberFormatException e) {
      return 0;
    }
  }
}
