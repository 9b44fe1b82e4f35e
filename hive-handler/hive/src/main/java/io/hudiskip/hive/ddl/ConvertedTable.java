// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.ddl;

import java.util.Properties;
import javax.annotation.Nullable;
import org.apache.hadoop.hive.metastore.api.Table;
import org.apache.hadoop.hive.metastore.api.hive_metastoreConstants;
import org.apache.hadoop.hive.serde.serdeConstants;

/**
 * A native table whose property {@code storage_handler} was set to this handler. Its SerDe and its
 * partitions stay native, so no query can read it: Hive would read only the partitions that the
 * metastore has, each as a Hudi table.
 */
public final class ConvertedTable {
  private ConvertedTable() {}

  /** Whether a table with this handler was not created with it. */
  static boolean is(Table table) {
    return table.getSd() != null
        && table.getSd().getSerdeInfo() != null
        && isNative(table.getSd().getSerdeInfo().getSerializationLib());
  }

  /**
   * Whether a scan with this handler reads such a table.
   *
   * @param properties of the scanned table, as Hive passes them to SerDes
   */
  public static boolean is(Properties properties) {
    return isNative(properties.getProperty(serdeConstants.SERIALIZATION_LIB))
        || properties.containsKey(hive_metastoreConstants.META_TABLE_PARTITION_COLUMNS);
  }

  private static boolean isNative(@Nullable String serde) {
    return serde != null && !HandlerClasses.SERDE.equals(serde);
  }

  /** Why the property must not be set on a native table, and what to do instead. */
  static String refusal(String name) {
    return String.format(
        "%s is a native table, and ALTER TABLE cannot give it a storage handler: its partitions and"
            + " its SerDe would stay, and every query would fail. Run hudi-skip adopt --hive HOST:PORT"
            + " %s, or CREATE EXTERNAL TABLE <new name> STORED BY '%s' LOCATION '<root of the Hudi"
            + " table>'. %s",
        name, name, HandlerClasses.STORAGE_HANDLER, remedy(name));
  }

  /** Why a query of such a table fails, and what to do. */
  public static String queryError(String name) {
    return name
        + " was created as a native table, so this handler cannot read it: its partitions and its"
        + " SerDe are Hive's. "
        + remedy(name);
  }

  private static String remedy(String name) {
    return String.format(
        "To make a table with this property native again: ALTER TABLE %s UNSET TBLPROPERTIES ('%s')",
        name, hive_metastoreConstants.META_TABLE_STORAGE);
  }
}
