/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.ddl;

import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.ql.ddl.table.create.like.CreateTableLikeDesc;
import org.apache.hadoop.hive.ql.metadata.HiveStorageHandler;
import org.apache.hadoop.hive.ql.metadata.Table;

/**
 * {@code CREATE TABLE … LIKE} a table of this handler. Hive makes the new table out of the old one
 * and asks only the handler that the <em>new</em> one has: with no {@code STORED BY} that is none,
 * and out comes a text table over Parquet files, whose DROP deletes them unless it is EXTERNAL.
 */
public final class TableLike {
  private TableLike() {}

  /** Sees to it that this handler is asked about the new table, whatever its storage. */
  public static void claim(Table table, HiveStorageHandler handler) {
    table.setStorageHandler(handler);
  }

  /**
   * Refuses a new table that would misread or delete a Hudi table, and leaves any other to its own
   * handler.
   *
   * @param handler that the new table was claimed for
   * @param table the new table, claimed, with its own properties
   * @param like the statement
   * @param propertiesOfOld those of the old table, for the handler of the new one
   * @throws UnsupportedOperationException naming the statement that works
   */
  public static void release(
      HiveStorageHandler handler,
      Configuration conf,
      Table table,
      CreateTableLikeDesc like,
      Map<String, String> propertiesOfOld) {
    table.setStorageHandler(null);
    HiveStorageHandler own = table.getStorageHandler();
    if (handler.getClass().isInstance(own)) {
      return; // its rules are those of HudiMetaHook
    }
    if (own != null) {
      own.setTableParametersForCTLT(table, like, propertiesOfOld);
      return;
    }
    if (!like.isUserStorageFormat()) {
      throw new UnsupportedOperationException(
          "CREATE TABLE … LIKE a Hudi table makes a text table unless it says how the table is"
              + " stored. Use CREATE EXTERNAL TABLE "
              + like.getTableName()
              + " LIKE "
              + like.getLikeTableName()
              + " STORED BY '"
              + HandlerClasses.STORAGE_HANDLER
              + "' LOCATION '"
              + (like.getLocation() == null ? "…" : like.getLocation())
              + "', or add STORED AS ORC for an empty table with these columns");
    }
    boolean deletesData = !like.isExternal() || ForeignTable.purges(table.getParameters());
    ForeignTable.objection(conf, like.getLocation(), like.getDefaultInputFormat(), deletesData)
        .ifPresent(
            objection -> {
              throw new UnsupportedOperationException(objection);
            });
  }
}
