/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.ddl;

import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.metastore.HiveMetaStoreClient;
import org.apache.hadoop.hive.metastore.api.FieldSchema;
import org.apache.hadoop.hive.metastore.api.Table;
import org.apache.thrift.TException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The columns of a table in the metastore, which may be older than those that Hive is served. */
interface StoredColumns {
  /** Those of a table; empty when they cannot be found out. */
  Optional<List<FieldSchema>> columns(Table table);

  /** Asks the metastore, through a client without hooks. */
  static StoredColumns of(Configuration conf) {
    return table -> {
      try {
        HiveMetaStoreClient client = new HiveMetaStoreClient(conf);
        try {
          String catalog = table.isSetCatName() ? table.getCatName() : "hive";
          Table stored = client.getTable(catalog, table.getDbName(), table.getTableName());
          return Optional.of(stored.getSd().getCols());
        } finally {
          client.close();
        }
      } catch (TException | RuntimeException e) {
        Logger log = LoggerFactory.getLogger(StoredColumns.class);
        log.warn("The stored columns of {} are not known", table.getTableName(), e);
        return Optional.empty();
      }
    };
  }
}
