/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.table;

import org.apache.hudi.common.model.HoodieFileFormat;
import org.apache.hudi.common.model.HoodieTableType;
import org.apache.hudi.common.table.HoodieTableConfig;
import org.apache.hudi.common.table.HoodieTableMetaClient;

/**
 * Which Hudi tables are read rightly: base files are taken one by one and matched by column name;
 * partition columns may be missing from them if their paths tell the values, and their rows may be
 * merged with those of logs if Hudi's own code says how.
 */
final class TableLayout {
  private TableLayout() {}

  /**
   * Accepts a table that can be read.
   *
   * @throws UnreadableTableException when its rows would be read wrongly
   */
  static void requireReadable(HoodieTableMetaClient table) throws UnreadableTableException {
    HoodieTableConfig config = table.getTableConfig();
    String path = table.getBasePath().toString();
    boolean isMergeOnRead =
        HoodieTableType.MERGE_ON_READ.name().equals(config.getString(HoodieTableConfig.TYPE));
    KnownProperties.require(config, isMergeOnRead, path);
    if (isMergeOnRead) {
      OrderingField.understand(config, path);
      Merging.requireKnown(config, path);
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
    if (TableSchemas.areOnRead(table)) {
      throw new UnreadableTableException(
          path
              + " was written with hoodie.schema.on.read.enable=true: its columns are matched by"
              + " id, and a renamed one would be read as NULL. Rewrite the table without that"
              + " option");
    }
  }
}
