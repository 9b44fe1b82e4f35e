// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.ddl;

import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.ql.ddl.table.create.like.CreateTableLikeDesc;
import org.apache.hadoop.hive.ql.metadata.HiveStorageHandler;
import org.apache.hadoop.hive.ql.metadata.Table;

/**
 * {@code CREATE TABLE … LIKE} a table of this handler. Hive derives the new table from the old one
 * and calls only the <em>new</em> table's handler. Without {@code STORED BY} there is none, and the
 * result is a text table over Parquet files, whose DROP deletes them unless it is EXTERNAL.
 */
public final class TableLike {
  private TableLike() {}

  /**
   * Rejects a new table that would misread or delete a Hudi table, and leaves others to their own
   * handler.
   *
   * @param handler of the old table, set on the new one for this call
   * @param table the new table, with its own properties
   * @param oldProperties for the new table's handler
   * @throws UnsupportedOperationException naming the statement to use
   */
  public static void release(
      HiveStorageHandler handler,
      Configuration conf,
      Table table,
      CreateTableLikeDesc like,
      Map<String, String> oldProperties) {
    table.setStorageHandler(null);
    HiveStorageHandler own = table.getStorageHandler();
    if (handler.getClass().isInstance(own)) {
      return; // HudiMetaHook has its rules
    }
    if (own != null) {
      own.setTableParametersForCTLT(table, like, oldProperties);
      return;
    }
    if (!like.isUserStorageFormat()) {
      throw new UnsupportedOperationException(
          String.format(
              "CREATE TABLE … LIKE a Hudi table creates a text table unless a storage format"
                  + " is given. Use CREATE EXTERNAL TABLE %s LIKE %s STORED BY '%s' LOCATION '%s',"
                  + " or add STORED AS ORC for an empty table with these columns",
              like.getTableName(),
              like.getLikeTableName(),
              HandlerClasses.STORAGE_HANDLER,
              like.getLocation() == null ? "…" : like.getLocation()));
    }
    boolean deletesData = !like.isExternal() || ForeignTable.purges(table.getParameters());
    ForeignTable.objection(conf, like.getLocation(), like.getDefaultInputFormat(), deletesData)
        .ifPresent(
            objection -> {
              throw new UnsupportedOperationException(objection);
            });
  }
}
