/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.common.StatsSetupConst;
import org.apache.hadoop.hive.metastore.HiveMetaHook;
import org.apache.hadoop.hive.metastore.api.EnvironmentContext;
import org.apache.hadoop.hive.metastore.api.FieldSchema;
import org.apache.hadoop.hive.metastore.api.MetaException;
import org.apache.hadoop.hive.metastore.api.SerDeInfo;
import org.apache.hadoop.hive.metastore.api.StorageDescriptor;
import org.apache.hadoop.hive.metastore.api.Table;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HudiMetaHookTest {
  private final HudiMetaHook hook = new HudiMetaHook(new Configuration(false));

  @TempDir Path directory;
  private Table table;

  @BeforeEach
  void declareATableAsItShouldBe() throws Exception {
    StorageDescriptor storage = new StorageDescriptor();
    storage.setLocation(HudiTestTable.create(directory).location());
    storage.setCols(new ArrayList<>());
    storage.addToCols(new FieldSchema("id", "bigint", null));
    storage.setSerdeInfo(new SerDeInfo());
    table = new Table();
    table.setTableName("flights");
    table.setTableType("EXTERNAL_TABLE");
    table.setSd(storage);
    table.setParameters(new HashMap<>());
    table.putToParameters("EXTERNAL", "TRUE");
  }

  @Test
  void acceptsAnExternalTableOverAHudiTable() {
    assertThatCode(() -> hook.preCreateTable(table)).doesNotThrowAnyException();
  }

  @Test
  void refusesATableThatHiveWouldOwn() {
    table.getParameters().remove("EXTERNAL");
    assertRefused(() -> hook.preCreateTable(table), "CREATE EXTERNAL TABLE");
  }

  @Test
  void refusesPurgeAtCreateAndAtAlterAndBeforeDrop() {
    table.putToParameters("external.table.purge", "True");
    assertRefused(() -> hook.preCreateTable(table), "'external.table.purge'='false'");
    assertRefused(
        () -> hook.preAlterTable(table, alteration("ADDPROPS")), "DROP TABLE would delete");
    assertRefused(() -> hook.preDropTable(table, true), "DROP TABLE would delete");
  }

  @Test
  void refusesToTurnATableIntoOneThatHiveOwns() {
    table.putToParameters("EXTERNAL", "FALSE");
    assertRefused(() -> hook.preAlterTable(table, alteration("ADDPROPS")), "EXTERNAL");
  }

  @Test
  void refusesATableWithoutLocation() {
    table.getSd().unsetLocation();
    assertRefused(() -> hook.preCreateTable(table), "LOCATION");
  }

  @Test
  void refusesALocationWithoutAHudiTable() {
    table.getSd().setLocation(directory.resolve("elsewhere").toString());
    assertRefused(() -> hook.preCreateTable(table), "is not a Hudi table");
  }

  @Test
  void refusesPartitionedBy() {
    table.setPartitionKeys(Collections.singletonList(new FieldSchema("city", "string", null)));
    assertRefused(() -> hook.preCreateTable(table), "Leave PARTITIONED BY out");
  }

  @Test
  void refusesClusteredBy() {
    table.getSd().setBucketCols(Collections.singletonList("id"));
    assertRefused(() -> hook.preCreateTable(table), "Leave CLUSTERED BY out");
  }

  @Test
  void checksTheColumnListAgainstTheTable() {
    table.getSd().addToCols(new FieldSchema("city", "date", null));
    assertRefused(() -> hook.preCreateTable(table), "declared as date");
  }

  @Test
  void refusesATablePropertyThatNamesAProgramToRun() {
    table.putToParameters("hudi.skipping.compiler.command", "rm -r /");
    assertRefused(() -> hook.preCreateTable(table), "not a table property");
    assertRefused(() -> hook.preAlterTable(table, alteration("ADDPROPS")), "not a table property");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ADDPROPS", "DROPPROPS"})
  void allowsOtherPropertiesToBeChanged(String operation) {
    table.putToParameters("hudi.skipping.mode", "off");
    assertThatCode(() -> hook.preAlterTable(table, alteration(operation)))
        .doesNotThrowAnyException();
  }

  @Test
  void allowsHiveToStoreStatistics() {
    assertThatCode(() -> hook.preAlterTable(table, null)).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(strings = {"ADDCOLS", "REPLACE_COLUMNS", "RENAME", "ALTERLOCATION", "SET_SERDE"})
  void refusesToChangeWhatIsHudis(String operation) {
    assertRefused(
        () -> hook.preAlterTable(table, alteration(operation)), "CREATE EXTERNAL TABLE again");
  }

  @Test
  void refusesToWrite() {
    assertRefused(() -> hook.preInsertTable(table, false), "read-only in Hive");
    assertRefused(() -> hook.preInsertTable(table, true), "read-only in Hive");
    assertRefused(() -> hook.preTruncateTable(table, null), "read-only in Hive");
  }

  @Test
  void lettingATableGoTouchesNoFile() throws Exception {
    hook.preDropTable(table, true);
    hook.commitDropTable(table, true);
    assertThat(directory.resolve(".hoodie/hoodie.properties"))
        .as("the Hudi table after DROP TABLE")
        .exists();
  }

  @Test
  void neverTakesTheMetastoresStatisticsForExact() {
    table.putToParameters(StatsSetupConst.COLUMN_STATS_ACCURATE, "{\"BASIC_STATS\":\"true\"}");
    hook.postGetTable(table);
    assertThat(StatsSetupConst.areBasicStatsUptoDate(table.getParameters()))
        .as("Hive answers queries with statistics that are up to date")
        .isFalse();
  }

  private static void assertRefused(ThrowingCallable statement, String message) {
    assertThatThrownBy(statement).isInstanceOf(MetaException.class).hasMessageContaining(message);
  }

  private static EnvironmentContext alteration(String operation) {
    return new EnvironmentContext(
        Collections.singletonMap(HiveMetaHook.ALTER_TABLE_OPERATION_TYPE, operation));
  }
}
