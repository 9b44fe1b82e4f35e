// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.ddl;

import io.hudiskip.table.state.QueriedState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.metastore.api.FieldSchema;
import org.apache.hadoop.hive.metastore.api.SerDeInfo;
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
      takeOver(table);
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

  /**
   * Takes what a native table of hive-sync says otherwise than a table of this handler: partition
   * columns become ordinary ones, as they are in Hudi, and that logs are ignored becomes a property
   * of the table.
   */
  private static void takeOver(Table table) {
    SerDeInfo serde = table.getTTable().getSd().getSerdeInfo();
    if (serde.isSetParameters()
        && "true".equalsIgnoreCase(serde.getParameters().get(QueriedState.READ_OPTIMIZED))) {
      table.getParameters().putIfAbsent(QueriedState.READ_OPTIMIZED, "true");
    }
    if (table.isPartitioned()) {
      List<FieldSchema> columns = new ArrayList<>(table.getTTable().getSd().getCols());
      columns.addAll(table.getPartitionKeys());
      table.setFields(columns);
      table.setPartCols(new ArrayList<>());
    }
  }
}
