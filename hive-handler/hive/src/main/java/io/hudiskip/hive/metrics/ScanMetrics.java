// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.metrics;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.hudiskip.table.TableTotals;
import java.time.Duration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsInfo;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.Interns;
import org.apache.hadoop.metrics2.lib.MetricsRegistry;
import org.apache.hadoop.metrics2.lib.MutableCounterLong;

/**
 * What the scans whose files this process has selected read: the MBean {@code
 * Hadoop:service=hudi-skip,name=Scans}. Thread-safe.
 */
public final class ScanMetrics implements MetricsSource {
  private static final MetricsInfo COMMITS_BEHIND =
      Interns.info(
          "IndexCommitsBehind",
          "Commits that the index of a table has not seen: the most of the tables scanned in the last hour");

  private static final ScanMetrics SHARED =
      HandlerMetrics.publish("Scans", "Scans of handler tables", new ScanMetrics());

  private final MetricsRegistry registry =
      new MetricsRegistry("Scans").setContext(HandlerMetrics.NAME);
  private final MutableCounterLong queries = counter("Queries", "Queries with a scan");
  private final MutableCounterLong scans = counter("Scans", "Scans");
  private final MutableCounterLong unfilteredScans =
      counter("UnfilteredScans", "Scans that read all files because none could be excluded safely");
  private final MutableCounterLong filesListed = counter("FilesListed", "Files of the tables");
  private final MutableCounterLong filesKept = counter("FilesKept", "Files that are read");
  private final MutableCounterLong filesSkipped = counter("FilesSkipped", "Files that are not");
  private final MutableCounterLong bytesListed = counter("BytesListed", "Bytes of the tables");
  private final MutableCounterLong bytesKept = counter("BytesKept", "Bytes that are read");
  private final MutableCounterLong bytesSkipped = counter("BytesSkipped", "Bytes that are not");
  private final MutableCounterLong filesNotIndexed =
      counter("FilesNotIndexed", "Files that the index lacked, which are always read");
  private final MutableCounterLong rowCounts =
      counter("RowCounts", "Counts of a table's rows that were answered without reading them");
  private final MutableCounterLong millis =
      counter("SelectionMillis", "Milliseconds for listing and selecting files");

  private final Cache<String, Boolean> recentQueries = recent(10_000, Duration.ofMinutes(10));
  private final Cache<Path, Integer> commitsBehind = recent(1_000, Duration.ofHours(1));

  ScanMetrics() {}

  /** Those of this process. */
  public static ScanMetrics shared() {
    return SHARED;
  }

  /**
   * Adds a scan whose files were selected.
   *
   * @param query id of the scan's query; empty if it has none
   * @param listed totals of the table
   * @param kept totals of what is read, or would be without shadow mode
   * @param took milliseconds
   */
  public void selected(String query, TableTotals listed, TableTotals kept, long took) {
    if (query.isEmpty() || recentQueries.asMap().putIfAbsent(query, true) == null) {
      queries.incr();
    }
    scans.incr();
    filesListed.incr(listed.files());
    filesKept.incr(kept.files());
    filesSkipped.incr(listed.files() - kept.files());
    bytesListed.incr(listed.bytes());
    bytesKept.incr(kept.bytes());
    bytesSkipped.incr(listed.bytes() - kept.bytes());
    millis.incr(took);
  }

  /** Adds a scan that reads all files, because none could be excluded safely. */
  public void unfiltered(String query, TableTotals listed, long took) {
    selected(query, listed, listed, took);
    unfilteredScans.incr();
  }

  /** Adds a count of rows that is answered without reading them. */
  public void counted() {
    rowCounts.incr();
  }

  /**
   * Adds how far the index was behind in a scan.
   *
   * @param table root of the table
   * @param files number of files without statistics
   * @param commits number of completed commits that the index has not seen
   */
  public void lag(Path table, long files, int commits) {
    filesNotIndexed.incr(files);
    commitsBehind.put(table, commits);
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    MetricsRecordBuilder record = collector.addRecord(registry.info());
    registry.snapshot(record, all);
    int most = commitsBehind.asMap().values().stream().mapToInt(Integer::intValue).max().orElse(0);
    record.addGauge(COMMITS_BEHIND, most);
  }

  private MutableCounterLong counter(String name, String description) {
    return registry.newCounter(name, description, 0L);
  }

  private static <K, V> Cache<K, V> recent(int size, Duration age) {
    return Caffeine.newBuilder()
        .maximumSize(size)
        .expireAfterWrite(age)
        .executor(Runnable::run)
        .build();
  }
}
