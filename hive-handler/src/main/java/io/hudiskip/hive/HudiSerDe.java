/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive;

import io.hudiskip.hive.ddl.HudiMetaHook;
import io.hudiskip.hive.ddl.Refusals;
import io.hudiskip.hive.mode.SeparateScans;
import io.hudiskip.hive.table.HudiTable;
import io.hudiskip.hive.table.UnreadableTableException;
import java.util.Map;
import java.util.Properties;
import java.util.StringJoiner;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.conf.HiveConf;
import org.apache.hadoop.hive.metastore.api.hive_metastoreConstants;
import org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe;
import org.apache.hadoop.hive.serde.serdeConstants;
import org.apache.hadoop.hive.serde2.SerDeException;
import org.apache.hadoop.hive.serde2.SerDeSpec;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfo;

/**
 * Hive's Parquet SerDe, which takes the columns from the Hudi table at {@code LOCATION} when none
 * are given. That is so once, at {@code CREATE TABLE} without a column list: Hive stores what the
 * SerDe then says, and gives columns ever after, which {@link HudiMetaHook#postGetTable} has
 * brought up to date. With columns given, nothing is read: the SerDe is initialised in every task.
 */
@SerDeSpec(schemaProps = {serdeConstants.LIST_COLUMNS, serdeConstants.LIST_COLUMN_TYPES})
public class HudiSerDe extends ParquetHiveSerDe {

  @Override
  public void initialize(
      Configuration configuration, Properties tableProperties, Properties partitionProperties)
      throws SerDeException {
    super.initialize(
        configuration, withColumns(configuration, tableProperties), partitionProperties);
  }

  /** Nothing is set here: Hive calls this just before it makes a scan of the table. */
  @Override
  public void handleJobLevelConfiguration(HiveConf conf) {
    SeparateScans.scanFollows(conf);
  }

  private static Properties withColumns(Configuration configuration, Properties given)
      throws SerDeException {
    if (!given.getProperty(serdeConstants.LIST_COLUMNS, "").trim().isEmpty()) {
      return given;
    }
    String location = given.getProperty(hive_metastoreConstants.META_TABLE_LOCATION);
    if (location == null || location.isEmpty()) {
      throw new SerDeException(Refusals.NO_LOCATION);
    }
    StringJoiner names = new StringJoiner(",");
    StringJoiner types = new StringJoiner(":");
    try {
      Configuration conf = configuration == null ? new Configuration() : configuration;
      for (Map.Entry<String, TypeInfo> column :
          HudiTable.open(conf, location).columns().entrySet()) {
        names.add(column.getKey());
        types.add(column.getValue().getTypeName());
      }
    } catch (UnreadableTableException e) {
      throw new SerDeException(e.getMessage(), e);
    }
    Properties filled = new Properties();
    filled.putAll(given);
    filled.setProperty(serdeConstants.LIST_COLUMNS, names.toString());
    filled.setProperty(serdeConstants.LIST_COLUMN_TYPES, types.toString());
    return filled;
  }
}
