/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.table;

import org.apache.hudi.common.model.HoodieFileFormat;
import org.apache.hudi.common.model.HoodieTableType;
import org.apache.hudi.common.table.HoodieTableConfig;
import org.apache.hudi.common.table.HoodieTableMetaClient;
import org.apache.hudi.common.table.TableSchemaResolver;

/**
 * Which Hudi tables Hive's Parquet reader reads rightly: the latest base files, taken one by one
 * and matched by column name, have to be the whole truth, but for partition columns that their
 * paths tell.
 */
final class TableLayout {
  private TableLayout() {}

  /**
   * Accepts a table that can be read.
   *
   * @param schemas of the table
   * @throws UnreadableTableException when its rows are not simply those of its base files
   */
  static void requireReadable(HoodieTableMetaClient table, TableSchemaResolver schemas)
      throws UnreadableTableException {
    HoodieTableConfig config = table.getTableConfig();
    String path = table.getBasePath().toString();
    if (config.getTableType() != HoodieTableType.COPY_ON_WRITE) {
      throw new UnreadableTableException(
          "merge-on-read tables are not supported, and "
              + path
              + " is one: its log files would have to be merged. Write it with"
              + " hoodie.datasource.write.table.type=COPY_ON_WRITE, or query it through Hudi's own"
              + " input format");
    }
    if (config.getBootstrapBasePath().isPresent()) {
      throw new UnreadableTableException(
          "bootstrap tables are not supported, and "
              + path
              + " is one: its base files hold no data columns. Rewrite the table with Spark");
    }
    if (config.isMultipleBaseFileFormatsEnabled()
        || config.getBaseFileFormat() != HoodieFileFormat.PARQUET) {
      throw new UnreadableTableException(
          "only tables with Parquet base files are supported, and "
              + path
              + " has hoodie.table.base.file.format="
              + config.getBaseFileFormat()
              + ". Write it with Parquet base files");
    }
    PartitionColumns.droppedBy(config, path);
    if (schemas.getTableInternalSchemaFromCommitMetadata().isPresent()) {
      throw new UnreadableTableException(
          path
              + " was written with hoodie.schema.on.read.enable=true: its columns are matched by"
              + " id, and a renamed one would be read as NULL. Rewrite the table without that"
              + " option");
    }
  }
}
