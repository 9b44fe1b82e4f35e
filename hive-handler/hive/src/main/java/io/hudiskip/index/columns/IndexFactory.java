// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.index.columns;

import io.hudiskip.compile.statistics.RecordedTimestamps;
import io.hudiskip.hive.settings.SkippingConf;
import io.hudiskip.hive.settings.StatisticsSource;
import io.hudiskip.index.IndexUnavailableException;
import io.hudiskip.index.StatisticsIndex;
import io.hudiskip.index.storage.ParquetIndex;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hudi.common.table.HoodieTableMetaClient;

/** Opens a table's statistics index from any source. */
public final class IndexFactory {
  private IndexFactory() {}

  /**
   * Opens a table's index.
   *
   * @param metaClient opens the table, or returns it if open; not called for an index that is kept
   *     beside the table
   * @param timestamps those of the table's present schema
   * @throws IndexUnavailableException when the source has no usable index; the message is for
   *     display
   */
  public static StatisticsIndex open(
      FileSystem fileSystem,
      Path tableRoot,
      StatisticsSource source,
      Callable<HoodieTableMetaClient> metaClient,
      RecordedTimestamps timestamps)
      throws IndexUnavailableException {
    switch (source) {
      case AUTO:
        // An index that exists but is unreadable is reported, not bypassed.
        Optional<StatisticsIndex> own = openIfAny(fileSystem, tableRoot, timestamps);
        if (own.isPresent()) {
          return own.get();
        }
        Optional<MetadataTableIndex> ofHudi = MetadataTableIndex.open(tableRoot, metaClient);
        if (ofHudi.isPresent()) {
          return ofHudi.get();
        }
        throw ParquetIndex.missing(fileSystem, tableRoot);
      case METADATA_TABLE:
        return MetadataTableIndex.open(tableRoot, metaClient)
            .orElseThrow(
                () ->
                    new IndexUnavailableException(
                        MetadataTableIndex.missing(tableRoot)
                            + ", or use another "
                            + SkippingConf.INDEX));
      case PARQUET:
      default:
        return open(fileSystem, tableRoot, timestamps);
    }
  }

  /**
   * Opens the index kept beside a table, for what no answer depends on.
   *
   * @throws IndexUnavailableException when there is no usable one
   */
  public static StatisticsIndex open(FileSystem fileSystem, Path tableRoot)
      throws IndexUnavailableException {
    return open(fileSystem, tableRoot, RecordedTimestamps.USUAL);
  }

  private static StatisticsIndex open(
      FileSystem fileSystem, Path tableRoot, RecordedTimestamps timestamps)
      throws IndexUnavailableException {
    return ParquetIndex.open(fileSystem, tableRoot, cacheBytes(fileSystem), timestamps);
  }

  /**
   * Opens the index kept beside a table, if there is one.
   *
   * @throws IndexUnavailableException when it is unusable
   */
  public static Optional<StatisticsIndex> openIfAny(FileSystem fileSystem, Path tableRoot)
      throws IndexUnavailableException {
    return openIfAny(fileSystem, tableRoot, RecordedTimestamps.USUAL);
  }

  private static Optional<StatisticsIndex> openIfAny(
      FileSystem fileSystem, Path tableRoot, RecordedTimestamps timestamps)
      throws IndexUnavailableException {
    return ParquetIndex.openIfAny(fileSystem, tableRoot, cacheBytes(fileSystem), timestamps);
  }

  private static long cacheBytes(FileSystem fileSystem) {
    return SkippingConf.of(fileSystem.getConf()).indexCacheBytes();
  }
}
