// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.ddl;

import io.hudiskip.hive.settings.InvalidSettingException;
import io.hudiskip.hive.settings.SkippingConf;
import io.hudiskip.hive.settings.UnknownSettings;
import io.hudiskip.table.HudiTable;
import io.hudiskip.table.UnreadableTableException;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import javax.annotation.Nullable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.common.StatsSetupConst;
import org.apache.hadoop.hive.metastore.DefaultHiveMetaHook;
import org.apache.hadoop.hive.metastore.HiveMetaStoreClient;
import org.apache.hadoop.hive.metastore.api.EnvironmentContext;
import org.apache.hadoop.hive.metastore.api.FieldSchema;
import org.apache.hadoop.hive.metastore.api.MetaException;
import org.apache.hadoop.hive.metastore.api.StorageDescriptor;
import org.apache.hadoop.hive.metastore.api.Table;
import org.apache.hadoop.hive.metastore.utils.MetaStoreUtils;
import org.apache.hadoop.hive.serde.serdeConstants;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The DDL rules of handler tables. A Hive table is only a name for a Hudi table: no statement that
 * reaches this hook may delete or change data, or make Hive misread it. For ALTER TABLE, Hive calls
 * the hook of the handler that the table <em>will</em> have, so a change of {@code storage_handler}
 * bypasses this one.
 */
public final class HudiMetaHook extends DefaultHiveMetaHook {
  private static final String PURGE = "external.table.purge";
  private static final List<String> PROPERTIES = Arrays.asList("ADDPROPS", "DROPPROPS");
  private static final List<String> ALLOWED_ALTERATIONS =
      Arrays.asList("ADDPROPS", "DROPPROPS", "UPDATE_COLUMNS");
  private static final Logger LOG = LoggerFactory.getLogger(HudiMetaHook.class);

  private final Configuration conf;
  private final Function<Table, Optional<List<FieldSchema>>> storedColumns;

  public HudiMetaHook(Configuration conf) {
    this(conf, table -> storedColumns(conf, table));
  }

  /** {@code storedColumns} finds the columns that {@link #postGetTable} has replaced. */
  HudiMetaHook(Configuration conf, Function<Table, Optional<List<FieldSchema>>> storedColumns) {
    this.conf = conf;
    this.storedColumns = storedColumns;
  }

  @Override
  public void preCreateTable(Table table) throws MetaException {
    requireDataIsSafe(table);
    requireOwnSettings(table);
    requireAllLines(table);
    StorageDescriptor storage = table.getSd();
    if (table.getPartitionKeysSize() > 0) {
      throw new MetaException(
          "PARTITIONED BY is not supported on a Hudi table: its partition columns are ordinary"
              + " columns here, and files are skipped by their values. Omit PARTITIONED BY");
    }
    if (storage.getBucketColsSize() > 0 || storage.getNumBuckets() > 0) {
      throw new MetaException(
          "CLUSTERED BY is not supported on a Hudi table: Hive would read all files of a bucket,"
              + " old versions included. Omit CLUSTERED BY");
    }
    if (storage.getLocation() == null || storage.getLocation().isEmpty()) {
      throw new MetaException(RefusalMessages.NO_LOCATION);
    }
    try {
      HudiTable hudi = HudiTable.open(conf, storage.getLocation());
      ColumnList.check(storage.getCols(), hudi.columns(), hudi.partitionColumns());
      table.putToParameters(SkippingConf.COLUMNS, ColumnChoice.of(table).toString());
    } catch (UnreadableTableException e) {
      throw metaException(e);
    }
    // CREATE TABLE … LIKE … STORED BY sets the SerDe of text tables, and class names that CREATE
    // TABLE leaves unset.
    storage.getSerdeInfo().setSerializationLib(HandlerClasses.SERDE);
    storage.unsetInputFormat();
    storage.unsetOutputFormat();
  }

  @Override
  public void preAlterTable(Table table, EnvironmentContext context) throws MetaException {
    if (ConvertedTable.is(table)) {
      throw new MetaException(
          ConvertedTable.refusal(table.getDbName() + "." + table.getTableName()));
    }
    String operation =
        context == null || context.getProperties() == null
            ? null
            : context.getProperties().get(ALTER_TABLE_OPERATION_TYPE);
    // Hive stores statistics through an alteration without an operation.
    if (operation != null && !ALLOWED_ALTERATIONS.contains(operation)) {
      throw new MetaException(
          "ALTER TABLE "
              + operation
              + " is not supported on a Hudi table: Hudi owns its columns and location. Run DROP"
              + " TABLE (which keeps the data) and CREATE EXTERNAL TABLE again");
    }
    requireDataIsSafe(table);
    requireOwnSettings(table);
    requireAllLines(table);
    if (PROPERTIES.contains(operation)) {
      // Otherwise the metastore would compare current and stored columns, and reject a change of
      // properties because of Hudi's schema changes.
      storedColumns.apply(table).ifPresent(table.getSd()::setCols);
    }
  }

  /** The columns in the metastore, read by a client without hooks; empty when it fails. */
  private static Optional<List<FieldSchema>> storedColumns(Configuration conf, Table table) {
    try {
      HiveMetaStoreClient client = new HiveMetaStoreClient(conf);
      try {
        String catalog = table.isSetCatName() ? table.getCatName() : "hive";
        Table stored = client.getTable(catalog, table.getDbName(), table.getTableName());
        return Optional.of(stored.getSd().getCols());
      } finally {
        client.close();
      }
    } catch (Exception e) { // a RuntimeException or one of Thrift
      LOG.warn("Cannot read the stored columns of {}", table.getTableName(), e);
      return Optional.empty();
    }
  }

  @Override
  public void preDropTable(Table table) throws MetaException {
    // Another metastore client may have set properties without this hook.
    requireDataIsSafe(table);
  }

  @Override
  public void preTruncateTable(Table table, EnvironmentContext context, List<String> partNames)
      throws MetaException {
    throw new MetaException(RefusalMessages.READ_ONLY);
  }

  @Override
  public void preInsertTable(Table table, boolean overwrite) throws MetaException {
    throw new MetaException(RefusalMessages.READ_ONLY);
  }

  /**
   * Returns the Hudi table's current columns; those in the metastore date from CREATE or the last
   * alteration. The table's properties carry them to the plan, the SerDe and the tasks' readers, so
   * that all have one schema.
   *
   * <p>Statistics in the metastore are never exact: Hudi changes the table without Hive, and Hive
   * folds filters and answers aggregates from statistics marked as accurate.
   */
  @Override
  public void postGetTable(Table table) {
    if (table.getParameters() != null) {
      table.getParameters().remove(StatsSetupConst.COLUMN_STATS_ACCURATE);
    }
    StorageDescriptor storage = table.getSd();
    // Hive also requests partial tables.
    if (storage == null || storage.getLocation() == null || storage.getColsSize() == 0) {
      return;
    }
    if (ConvertedTable.is(table)) {
      return; // with other columns, the metastore would reject the ALTER that mends it
    }
    ColumnChoice choice = ColumnChoice.of(table);
    try {
      storage.setCols(
          choice.columns(storage.getCols(), CurrentColumns.of(conf, storage.getLocation())));
      table.putToParameters(SkippingConf.COLUMNS, choice.toString());
    } catch (UnreadableTableException | RuntimeException e) {
      // DROP TABLE must work whatever has happened to the data; a query fails when files are
      // listed.
      LOG.warn(
          "Cannot read the Hudi table {}; using its columns in the metastore",
          storage.getLocation(),
          e);
    }
  }

  private static void requireDataIsSafe(Table table) throws MetaException {
    if (!MetaStoreUtils.isExternalTable(table)) {
      throw new MetaException(
          "a Hudi table must be EXTERNAL in Hive, since DROP TABLE would otherwise delete its"
              + " data. Use CREATE EXTERNAL TABLE, and do not change the property EXTERNAL");
    }
    if (MetaStoreUtils.isExternalTablePurge(table)) {
      throw new MetaException(
          PURGE
              + "=true is not supported on a Hudi table: DROP TABLE would delete its data. Set '"
              + PURGE
              + "'='false' in TBLPROPERTIES");
    }
  }

  /** Hive takes the first and last rows of each file from any format's reader. */
  private static void requireAllLines(Table table) throws MetaException {
    for (String property :
        Arrays.asList(serdeConstants.HEADER_COUNT, serdeConstants.FOOTER_COUNT)) {
      Map<String, String> ofSerde = table.getSd().getSerdeInfo().getParameters();
      if (isSet(table.getParameters(), property) || isSet(ofSerde, property)) {
        throw new MetaException(
            property
                + " is not supported on a Hudi table, whose files have no such lines: Hive would"
                + " leave out rows. Remove it");
      }
    }
  }

  private static boolean isSet(@Nullable Map<String, String> properties, String name) {
    return properties != null && !"0".equals(properties.getOrDefault(name, "0").trim());
  }

  /**
   * A misspelt name would silently do nothing, and a misspelt value disable skipping. Settings of
   * the compiler and of catalogues name a program to run and servers to contact, which a table's
   * owner must not choose.
   */
  private static void requireOwnSettings(Table table) throws MetaException {
    Map<String, String> properties =
        table.getParameters() == null ? Collections.emptyMap() : table.getParameters();
    for (String name : properties.keySet()) {
      if (SkippingConf.OF_SESSION.contains(name)
          || name.startsWith(SkippingConf.COMPILER_PREFIX)
          || name.startsWith(SkippingConf.CATALOGUE_PREFIX)) {
        throw new MetaException(
            name + " is not a table property: set it in the session or in hive-site.xml");
      }
    }
    for (String objection : UnknownSettings.ofTable(properties)) {
      throw new MetaException(objection + " Remove it");
    }
    try {
      SkippingConf.requireKnown("table", properties::get);
      SkippingConf.requireInstalledCatalogue(properties);
      ColumnChoice.requireKnown(properties);
    } catch (InvalidSettingException e) {
      throw metaException(e);
    }
  }

  private static MetaException metaException(Exception cause) {
    MetaException e = new MetaException(cause.getMessage());
    e.initCause(cause);
    return e;
  }

  @Override
  public void rollbackCreateTable(Table table) {}

  @Override
  public void commitCreateTable(Table table) {}

  @Override
  public void rollbackDropTable(Table table) {}

  @Override
  public void commitDropTable(Table table, boolean deleteData) {}

  @Override
  public void commitInsertTable(Table table, boolean overwrite) throws MetaException {
    throw new MetaException(RefusalMessages.READ_ONLY);
  }

  @Override
  public void rollbackInsertTable(Table table, boolean overwrite) {}
}
