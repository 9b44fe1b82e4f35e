/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.index.factory;

import io.hudiskip.IndexLayout;
import io.hudiskip.SkippingConf;
import io.hudiskip.index.IndexUnavailableException;
import io.hudiskip.index.StatisticsIndex;
import io.hudiskip.index.metadatatable.MetadataTableIndex;
import io.hudiskip.index.storage.ParquetIndex;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hudi.common.table.HoodieTableMetaClient;

/** Opens the statistics index of a table, in whichever layout it is kept. */
public final class IndexFactory {
  private IndexFactory() {}

  /**
   * Opens a table's index.
   *
   * @param fileSystem the table's file system
   * @param tableRoot directory that holds {@code .hoodie}
   * @param metaClient opens the table, or has it open; not called for an index that is kept beside
   *     the table
   * @throws IndexUnavailableException when there is none of the layout that can be used; its
   *     message is for people
   */
  public static StatisticsIndex open(
      FileSystem fileSystem,
      Path tableRoot,
      IndexLayout layout,
      Callable<HoodieTableMetaClient> metaClient)
      throws IndexUnavailableException {
    boolean isAnyLayout = layout == IndexLayout.AUTO;
    // An index that was built and cannot be read is reported, not passed over.
    if (layout == IndexLayout.METADATA_TABLE
        || (isAnyLayout && !ParquetIndex.exists(fileSystem, tableRoot))) {
      Optional<StatisticsIndex> found = MetadataTableIndex.open(tableRoot, metaClient);
      if (found.isPresent()) {
        return found.get();
      }
      if (!isAnyLayout) {
        throw new IndexUnavailableException(
            "the metadata table of "
                + tableRoot
                + " has no column statistics; write with"
                + " hoodie.metadata.index.column.stats.enable=true, or use another "
                + SkippingConf.INDEX);
      }
    }
    return ParquetIndex.open(fileSystem, tableRoot);
  }

  /**
   * Opens the index that is kept beside a table.
   *
   * @throws IndexUnavailableException when there is none that can be used
   */
  public static StatisticsIndex open(FileSystem fileSystem, Path tableRoot)
      throws IndexUnavailableException {
    return ParquetIndex.open(fileSystem, tableRoot);
  }
}
