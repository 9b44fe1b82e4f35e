// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.table;

import java.util.Optional;
import org.apache.hudi.common.model.HoodieFileFormat;
import org.apache.hudi.common.model.HoodieTableType;
import org.apache.hudi.common.table.HoodieTableConfig;
import org.apache.hudi.common.table.HoodieTableMetaClient;

/**
 * Accepts table layouts that Hive reads correctly: base files are read one by one with columns
 * matched by name. Partition columns may be missing from files if paths determine their values, and
 * rows may be merged with logs if Hudi's own code defines how.
 */
final class SupportedTables {
  private SupportedTables() {}

  /** Throws if rows of the table would be misread. */
  static void requireReadable(HoodieTableMetaClient table) throws UnreadableTableException {
    HoodieTableConfig config = table.getTableConfig();
    String path = table.getBasePath().toString();
    boolean isMergeOnRead =
        HoodieTableType.MERGE_ON_READ.name().equals(config.getString(HoodieTableConfig.TYPE));
    KnownProperties.require(config, isMergeOnRead, path);
    if (isMergeOnRead) {
      OrderingFields.normalize(config, path);
      Merging.requireKnown(config, path);
    }
    if (config.getBootstrapBasePath().isPresent()) {
      throw new UnreadableTableException(
          path
              + " is a bootstrapped table, which is not supported, because its base files hold no data"
              + " columns. Rewrite the table with Spark");
    }
    if (config.isMultipleBaseFileFormatsEnabled()
        || config.getBaseFileFormat() != HoodieFileFormat.PARQUET) {
      throw new UnreadableTableException(
          String.format(
              "only tables with Parquet base files are supported, and %s has"
                  + " hoodie.table.base.file.format=%s. Write it with Parquet base files",
              path, config.getBaseFileFormat()));
    }
    PartitionColumns.droppedBy(config, path);
    if (TableSchemas.isOnRead(table)) {
      throw new UnreadableTableException(
          path
              + " was written with hoodie.schema.on.read.enable=true: its columns are matched by"
              + " id, and a renamed one would be read as NULL. Copy the table with Spark into a"
              + " new one that is written without that option");
    }
    Optional<SchemaHistory.Ambiguity> ambiguity = TableSchemas.ambiguity(table);
    if (ambiguity.isPresent()) {
      throw new UnreadableTableException(
          String.format(
              "column %s of %s with hoodie.schema.on.read.enable=true, and later commits were written"
                  + " without that option: columns of old files cannot be found by name. Copy the"
                  + " table into a new one with Spark, which reads it with that option: each row"
                  + " whose _hoodie_commit_time is at most %3$s from its state as of %3$s",
              ambiguity.get().change, path, ambiguity.get().lastById));
    }
  }
}
