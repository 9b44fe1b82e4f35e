/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.ddl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudiskip.hive.HudiSerDe;
import io.hudiskip.hive.HudiSkippingInputFormat;
import io.hudiskip.hive.HudiTestTable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.common.StatsSetupConst;
import org.apache.hadoop.hive.metastore.HiveMetaHook;
import org.apache.hadoop.hive.metastore.api.EnvironmentContext;
import org.apache.hadoop.hive.metastore.api.FieldSchema;
import org.apache.hadoop.hive.metastore.api.MetaException;
import org.apache.hadoop.hive.metastore.api.SerDeInfo;
import org.apache.hadoop.hive.metastore.api.StorageDescriptor;
import org.apache.hadoop.hive.metastore.api.Table;
import org.apache.hadoop.hive.serde2.lazy.LazySimpleSerDe;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HudiMetaHookTest {
  private static final FieldSchema STORED = new FieldSchema("id", "int", null);

  private final HudiMetaHook hook =
      new HudiMetaHook(
          new Configuration(false), of -> Optional.of(Collections.singletonList(STORED)));

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

  @Test
  void refusesATablePropertyThatNamesServersToTalkTo() {
    table.putToParameters("hudi.skipping.catalogue.hbase.quorum", "elsewhere:2181");
    assertRefused(() -> hook.preCreateTable(table), "not a table property");
  }

  @Test
  void refusesAnUnknownValueOfASetting() {
    table.putToParameters("hudi.skipping.mode", "bogus");
    assertRefused(() -> hook.preCreateTable(table), "on, shadow or off");
    assertRefused(() -> hook.preAlterTable(table, alteration("ADDPROPS")), "on, shadow or off");
  }

  @Test
  void putsItsOwnSerDeInThePlaceOfTheOneThatCreateTableLikeLeaves() throws Exception {
    table.getSd().getSerdeInfo().setSerializationLib(LazySimpleSerDe.class.getName());
    table.getSd().setInputFormat(HudiSkippingInputFormat.class.getName());
    hook.preCreateTable(table);
    assertThat(table.getSd().getSerdeInfo().getSerializationLib())
        .isEqualTo(HudiSerDe.class.getName());
    assertThat(table.getSd().getInputFormat()).isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"ADDPROPS", "DROPPROPS"})
  void allowsOtherPropertiesToBeChanged(String operation) {
    table.putToParameters("hudi.skipping.mode", "off");
    assertThatCode(() -> hook.preAlterTable(table, alteration(operation)))
        .doesNotThrowAnyException();
  }

  @Test
  void keepsTheStoredColumnsWhenPropertiesAreAltered() throws Exception {
    hook.preAlterTable(table, alteration("UPDATE_COLUMNS"));
    assertThat(table.getSd().getCols()).extracting(FieldSchema::getType).containsExactly("bigint");
    hook.preAlterTable(table, alteration("ADDPROPS"));
    assertThat(table.getSd().getCols()).containsExactly(STORED);
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

  @Test
  void servesTheColumnsThatTheTableHasNow() throws Exception {
    table.getSd().setCols(new ArrayList<>());
    table.getSd().addToCols(new FieldSchema("id", "int", ""));
    hook.postGetTable(table);
    assertThat(columns()).containsExactly("id bigint", "city string");
    assertThat(table.getParameters()).containsEntry("hudi.skipping.columns", "table");
  }

  @Test
  void keepsTheChoiceOfColumnsThatWasMadeAndTheirTypesFollow() throws Exception {
    table.getSd().setCols(new ArrayList<>());
    table.getSd().addToCols(new FieldSchema("City", "varchar(3)", null));
    table.getSd().addToCols(new FieldSchema("gone", "int", null));
    table.getSd().addToCols(new FieldSchema("id", "int", "the key"));
    hook.postGetTable(table);
    assertThat(columns()).containsExactly("City varchar(3)", "id bigint");
    assertThat(table.getSd().getCols().get(1).getComment()).isEqualTo("the key");
    assertThat(table.getParameters()).containsEntry("hudi.skipping.columns", "declared");
  }

  @Test
  void remembersAtCreateWhereTheColumnsCameFrom() throws Exception {
    hook.preCreateTable(table);
    assertThat(table.getParameters()).containsEntry("hudi.skipping.columns", "declared");
    table.getParameters().remove("hudi.skipping.columns");
    table.getSd().getCols().get(0).setComment("");
    hook.preCreateTable(table);
    assertThat(table.getParameters()).containsEntry("hudi.skipping.columns", "table");
  }

  @Test
  void refusesAChoiceOfColumnsThatDoesNotExist() {
    table.putToParameters("hudi.skipping.columns", "some");
    assertRefused(() -> hook.preCreateTable(table), "'table'");
    assertRefused(() -> hook.preAlterTable(table, alteration("ADDPROPS")), "'declared'");
  }

  @Test
  void leavesTheStoredColumnsOfATableThatIsGone() {
    table.getSd().setLocation(directory.resolve("elsewhere").toString());
    hook.postGetTable(table);
    assertThat(columns()).as("DROP TABLE has to work").containsExactly("id bigint");
  }

  @Test
  void doesNotMindAPartOfATable() {
    table.unsetSd();
    assertThatCode(() -> hook.postGetTable(table)).doesNotThrowAnyException();
  }

  private List<String> columns() {
    List<String> columns = new ArrayList<>();
    for (FieldSchema column : table.getSd().getCols()) {
      columns.add(column.getName() + " " + column.getType());
    }
    return columns;
  }

  private static void assertRefused(ThrowingCallable statement, String message) {
    assertThatThrownBy(statement).isInstanceOf(MetaException.class).hasMessageContaining(message);
  }

  private static EnvironmentContext alteration(String operation) {
    return new EnvironmentContext(
        Collections.singletonMap(HiveMetaHook.ALTER_TABLE_OPERATION_TYPE, operation));
  }
}
