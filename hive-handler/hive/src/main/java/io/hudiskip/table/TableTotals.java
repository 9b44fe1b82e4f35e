// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.table;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.hudiskip.index.IndexUnavailableException;
import io.hudiskip.index.columns.IndexFactory;
import io.hudiskip.table.listing.PartitionSample;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hudi.common.model.FileSlice;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A table's size for Hive's planning, never for results: from the statistics index, else from a
 * listing, of a sample of a large table's partitions. Cached for {@value #SECONDS} seconds, because
 * Hive asks several times per compilation, and for each user, because not every user may read the
 * table.
 */
public final class TableTotals {
  private static final Logger LOG = LoggerFactory.getLogger(TableTotals.class);
  private static final int SECONDS = 30;

  private static final long LEAST_SAMPLED = 1L << 30;

  /** Below these bytes Hive keeps a table in memory for a join, or reads it in HiveServer2. */
  private static final String[] THRESHOLDS = {
    "hive.auto.convert.join.noconditionaltask.size", "hive.fetch.task.conversion.threshold"
  };

  private static final Cache<List<Object>, TableTotals> CACHE =
      Caffeine.newBuilder()
          .maximumSize(1_000)
          .expireAfterWrite(Duration.ofSeconds(SECONDS))
          .executor(Runnable::run)
          .build();

  public static final TableTotals NONE = of(0, 0);

  private final long files;
  private final OptionalLong rows;
  private final long bytes;

  private TableTotals(long files, OptionalLong rows, long bytes) {
    this.files = files;
    this.rows = rows;
    this.bytes = bytes;
  }

  /**
   * The totals of the table at {@code root}.
   *
   * @throws IOException when there is no index that the current user may read, and Hudi cannot list
   *     the table as this user
   */
  public static TableTotals of(Configuration conf, Path root) throws IOException {
    List<Object> key = Arrays.asList(UserGroupInformation.getCurrentUser().getUserName(), root);
    TableTotals known = CACHE.getIfPresent(key);
    if (known == null) {
      known = read(conf, root);
      CACHE.put(key, known);
    }
    return known;
  }

  public static TableTotals of(long files, long bytes) {
    return new TableTotals(files, OptionalLong.empty(), bytes);
  }

  public static TableTotals of(List<FileSlice> slices) {
    return of(slices.size(), slices.stream().mapToLong(FileSlice::getTotalFileSize).sum());
  }

  public TableTotals plus(TableTotals other) {
    return of(files + other.files, bytes + other.bytes);
  }

  /** Totals from the statistics index; empty if it is unavailable. Never throws. */
  public static Optional<TableTotals> indexed(Configuration conf, Path root) {
    try {
      return IndexFactory.open(root.getFileSystem(conf), root)
          .live()
          .map(live -> new TableTotals(live.files(), OptionalLong.of(live.rows()), live.bytes()));
    } catch (IndexUnavailableException | IOException | RuntimeException e) {
      LOG.debug("No totals from the index of {}", root, e);
      return Optional.empty();
    }
  }

  private static TableTotals read(Configuration conf, Path root) throws IOException {
    Optional<TableTotals> indexed = indexed(conf, root);
    return indexed.isPresent()
        ? indexed.get()
        : TableErrors.raise(root, () -> listed(conf, HudiTable.open(conf, root.toString())));
  }

  private static TableTotals listed(Configuration conf, HudiTable table)
      throws IOException, UnreadableTableException {
    PartitionSample sample = new PartitionSample();
    TableTotals found = of(table.slices(null, false, sample));
    if (sample.scale() == 1) {
      return found;
    }
    TableTotals scaled =
        of(Math.round(found.files * sample.scale()), Math.round(found.bytes * sample.scale()));
    // Of a table that seems small, the sample may have missed large partitions, at too high a
    // price.
    long least = LEAST_SAMPLED;
    for (String threshold : THRESHOLDS) {
      least = Math.max(least, 2 * conf.getLong(threshold, 0));
    }
    return scaled.bytes >= least ? scaled : of(table.latestSlices());
  }

  public long files() {
    return files;
  }

  /** Number of rows; empty when only the files can tell. */
  public OptionalLong rows() {
    return rows;
  }

  public long bytes() {
    return bytes;
  }
}
