// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive;

import io.hudiskip.hive.ddl.HudiMetaHook;
import io.hudiskip.hive.ddl.RefusalMessages;
import io.hudiskip.table.HudiTable;
import io.hudiskip.table.UnreadableTableException;
import io.hudiskip.table.state.SeparateScans;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.conf.HiveConf;
import org.apache.hadoop.hive.metastore.api.hive_metastoreConstants;
import org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe;
import org.apache.hadoop.hive.serde.serdeConstants;
import org.apache.hadoop.hive.serde2.SerDeException;
import org.apache.hadoop.hive.serde2.SerDeSpec;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfo;

/**
 * Hive's Parquet SerDe. It takes columns from the Hudi table at {@code LOCATION} if none are given,
 * which happens only at {@code CREATE TABLE} without a column list: Hive stores the result and
 * passes columns from then on, updated by {@link HudiMetaHook#postGetTable}. With columns given it
 * reads nothing, since every task initialises the SerDe.
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

  /** Sets nothing: Hive calls this just before it creates a scan of the table. */
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
      throw new SerDeException(RefusalMessages.NO_LOCATION);
    }
    Map<String, TypeInfo> columns;
    try {
      Configuration conf = configuration == null ? new Configuration() : configuration;
      columns = HudiTable.open(conf, location).columns();
    } catch (UnreadableTableException e) {
      throw new SerDeException(e.getMessage(), e);
    }
    Properties filled = new Properties();
    filled.putAll(given);
    filled.setProperty(serdeConstants.LIST_COLUMNS, String.join(",", columns.keySet()));
    filled.setProperty(
        serdeConstants.LIST_COLUMN_TYPES,
        columns.values().stream().map(TypeInfo::getTypeName).collect(Collectors.joining(":")));
    return filled;
  }
}
