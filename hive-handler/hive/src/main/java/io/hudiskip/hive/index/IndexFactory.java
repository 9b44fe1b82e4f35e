// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.index;

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
   * @throws IndexUnavailableException when the source has no usable index; the message is for
   *     display
   */
  public static StatisticsIndex open(
      FileSystem fileSystem,
      Path tableRoot,
      StatisticsSource source,
      Callable<HoodieTableMetaClient> metaClient)
      throws IndexUnavailableException {
    boolean isAuto = source == StatisticsSource.AUTO;
    // An index that exists but is unreadable is reported, not bypassed.
    if (source == StatisticsSource.METADATA_TABLE
        || (isAuto && !ParquetIndex.exists(fileSystem, tableRoot))) {
      Optional<StatisticsIndex> found = MetadataTableIndex.open(tableRoot, metaClient);
      if (found.isPresent()) {
        return found.get();
      }
      if (!isAuto) {
        throw new IndexUnavailableException(
            String.format(
                "the metadata table of %s has no column statistics; write with"
                    + " hoodie.metadata.index.column.stats.enable=true, or use another %s",
                tableRoot, SkippingConf.INDEX));
      }
    }
    return open(fileSystem, tableRoot);
  }

  /**
   * Opens the index kept beside a table.
   *
   * @throws IndexUnavailableException when there is no usable one
   */
  public static StatisticsIndex open(FileSystem fileSystem, Path tableRoot)
      throws IndexUnavailableException {
    long cacheBytes = SkippingConf.of(fileSystem.getConf()).indexCacheBytes();
    return ParquetIndex.open(fileSystem, tableRoot, cacheBytes);
  }
}
