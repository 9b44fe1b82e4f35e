/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.ddl;

import io.hudiskip.InvalidSettingException;
import io.hudiskip.SkippingConf;
import io.hudiskip.hive.table.HudiTable;
import io.hudiskip.hive.table.UnreadableTableException;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.common.StatsSetupConst;
import org.apache.hadoop.hive.metastore.DefaultHiveMetaHook;
import org.apache.hadoop.hive.metastore.api.EnvironmentContext;
import org.apache.hadoop.hive.metastore.api.MetaException;
import org.apache.hadoop.hive.metastore.api.StorageDescriptor;
import org.apache.hadoop.hive.metastore.api.Table;
import org.apache.hadoop.hive.metastore.utils.MetaStoreUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rules of the DDL of handler tables. A Hive table is only a name for a Hudi table that lives
 * elsewhere: no statement that reaches this hook may delete or change data, and nothing may be
 * declared that would make Hive misread it. Hive asks the hook of the handler that an altered table
 * <em>will</em> have, so a change of the property {@code storage_handler} is beyond it.
 */
public final class HudiMetaHook extends DefaultHiveMetaHook {
  private static final String PURGE = "external.table.purge";
  private static final List<String> PROPERTIES = Arrays.asList("ADDPROPS", "DROPPROPS");
  private static final List<String> ALLOWED_ALTERATIONS =
      Arrays.asList("ADDPROPS", "DROPPROPS", "UPDATE_COLUMNS");
  private static final Logger LOG = LoggerFactory.getLogger(HudiMetaHook.class);

  private final Configuration conf;
  private final StoredColumns stored;

  /** The hook of one session or metastore. */
  public HudiMetaHook(Configuration conf) {
    this(conf, StoredColumns.of(conf));
  }

  /**
   * Rules for one session.
   *
   * @param stored finds what {@link #postGetTable} has hidden
   */
  HudiMetaHook(Configuration conf, StoredColumns stored) {
    this.conf = conf;
    this.stored = stored;
  }

  @Override
  public void preCreateTable(Table table) throws MetaException {
    requireDataIsSafe(table);
    requireOwnSettings(table);
    StorageDescriptor storage = table.getSd();
    if (table.getPartitionKeysSize() > 0) {
      throw new MetaException(
          "PARTITIONED BY is not supported on a Hudi table: its partition columns are ordinary"
              + " columns here, and files are skipped by their values. Leave PARTITIONED BY out");
    }
    if (storage.getBucketColsSize() > 0 || storage.getNumBuckets() > 0) {
      throw new MetaException(
          "CLUSTERED BY is not supported on a Hudi table: Hive would read its files by bucket, old"
              + " versions included. Leave CLUSTERED BY out");
    }
    if (storage.getLocation() == null || storage.getLocation().isEmpty()) {
      throw new MetaException(Refusals.NO_LOCATION);
    }
    try {
      HudiTable hudi = HudiTable.open(conf, storage.getLocation());
      ColumnChoice.requireKnown(table);
      ColumnList.check(storage.getCols(), hudi.columns(), hudi.partitionColumns());
      table.putToParameters(ColumnChoice.PROPERTY, ColumnChoice.of(table).toString());
    } catch (UnreadableTableException e) {
      throw metaException(e);
    }
    // CREATE TABLE … LIKE … STORED BY leaves the SerDe of text tables there, and class names that
    // CREATE TABLE leaves out.
    storage.getSerdeInfo().setSerializationLib(HandlerClasses.SERDE);
    storage.unsetInputFormat();
    storage.unsetOutputFormat();
  }

  @Override
  public void preAlterTable(Table table, EnvironmentContext context) throws MetaException {
    String operation =
        context == null || context.getProperties() == null
            ? null
            : context.getProperties().get(ALTER_TABLE_OPERATION_TYPE);
    // Hive alters a table without naming an operation when it stores statistics.
    if (operation != null && !ALLOWED_ALTERATIONS.contains(operation)) {
      throw new MetaException(
          "ALTER TABLE "
              + operation
              + " is not supported on a Hudi table: its columns and its place are Hudi's. DROP"
              + " TABLE (which leaves the data alone) and CREATE EXTERNAL TABLE again");
    }
    requireDataIsSafe(table);
    requireOwnSettings(table);
    try {
      ColumnChoice.requireKnown(table);
    } catch (UnreadableTableException e) {
      throw metaException(e);
    }
    if (PROPERTIES.contains(operation)) {
      // The metastore would compare the present columns with the stored ones, and refuse a change
      // of properties for what Hudi has changed.
      stored.columns(table).ifPresent(table.getSd()::setCols);
    }
  }

  @Override
  public void preDropTable(Table table) throws MetaException {
    // Properties can also be set without this hook, by another client of the metastore.
    requireDataIsSafe(table);
  }

  @Override
  public void preTruncateTable(Table table, EnvironmentContext context, List<String> partNames)
      throws MetaException {
    throw new MetaException(Refusals.READ_ONLY);
  }

  @Override
  public void preInsertTable(Table table, boolean overwrite) throws MetaException {
    throw new MetaException(Refusals.READ_ONLY);
  }

  /**
   * Serves the columns that the Hudi table has now; those in the metastore are of the day of CREATE
   * or of the last alteration. So the plan, the SerDe and the readers in the tasks all have one
   * schema, which the properties of the table carry to them.
   *
   * <p>Statistics in the metastore are never taken for exact: Hudi changes the table without Hive's
   * knowledge, and Hive folds filters and answers aggregates with statistics that are marked as
   * accurate.
   */
  @Override
  public void postGetTable(Table table) {
    if (table.getParameters() != null) {
      table.getParameters().remove(StatsSetupConst.COLUMN_STATS_ACCURATE);
    }
    StorageDescriptor storage = table.getSd();
    // Hive also asks for parts of tables.
    if (storage == null || storage.getLocation() == null || storage.getColsSize() == 0) {
      return;
    }
    ColumnChoice choice = ColumnChoice.of(table);
    try {
      storage.setCols(
          choice.columns(storage.getCols(), CurrentColumns.of(conf, storage.getLocation())));
      table.putToParameters(ColumnChoice.PROPERTY, choice.toString());
    } catch (UnreadableTableException | RuntimeException e) {
      // DROP TABLE has to work whatever has become of the data; a query fails when files are
      // listed.
      LOG.warn("The columns of {} are those in the metastore", storage.getLocation(), e);
    }
  }

  private static void requireDataIsSafe(Table table) throws MetaException {
    if (!MetaStoreUtils.isExternalTable(table)) {
      throw new MetaException(
          "a Hudi table has to be EXTERNAL in Hive, since DROP TABLE would delete its data"
              + " otherwise. Use CREATE EXTERNAL TABLE, and leave the property EXTERNAL as it is");
    }
    if (MetaStoreUtils.isExternalTablePurge(table)) {
      throw new MetaException(
          PURGE
              + "=true is not supported on a Hudi table: DROP TABLE would delete its data. Set '"
              + PURGE
              + "'='false' in TBLPROPERTIES");
    }
  }

  /**
   * A misspelt value would turn skipping off in silence, and the settings of the compiler and of
   * HBase name a program to run and servers to talk to, which is not for the owner of a table to
   * choose.
   */
  private static void requireOwnSettings(Table table) throws MetaException {
    Map<String, String> properties =
        table.getParameters() == null ? Collections.emptyMap() : table.getParameters();
    for (String name : properties.keySet()) {
      if (name.startsWith(SkippingConf.COMPILER_PREFIX)
          || name.startsWith(SkippingConf.HBASE_PREFIX)) {
        throw new MetaException(
            name + " is not a table property: set it in the session or in hive-site.xml");
      }
    }
    try {
      SkippingConf.requireKnown("table", properties::get);
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
    throw new MetaException(Refusals.READ_ONLY);
  }

  @Override
  public void rollbackInsertTable(Table table, boolean overwrite) {}
}
