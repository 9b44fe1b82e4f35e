// SPDX-License-Identifier: Apache-2.0
import org.apache.hadoop.hive.conf.HiveConf;
import org.apache.hadoop.hive.metastore.HiveMetaStoreClient;
import org.apache.hadoop.hive.metastore.api.Table;

/**
 * Sets a property of a table as a program does that knows nothing of storage handlers: {@code URI
 * DATABASE TABLE NAME VALUE}.
 */
public final class SetProperty {
  public static void main(String[] arguments) throws Exception {
    HiveConf conf = new HiveConf();
    conf.set("hive.metastore.uris", arguments[0]);
    HiveMetaStoreClient client = new HiveMetaStoreClient(conf);
    Table table = client.getTable(arguments[1], arguments[2]);
    table.putToParameters(arguments[3], arguments[4]);
    client.alter_table(arguments[1], arguments[2], table);
    client.close();
  }
}
