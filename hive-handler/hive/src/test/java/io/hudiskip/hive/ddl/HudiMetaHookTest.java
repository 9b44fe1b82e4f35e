// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.ddl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudiskip.hive.HudiSerDe;
import io.hudiskip.hive.HudiSkippingInputFormat;
import io.hudiskip.hive.HudiStorageHandler;
import io.hudiskip.hive.HudiTestTable;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.common.StatsSetupConst;
import org.apache.hadoop.hive.metastore.HiveMetaHook;
import org.apache.hadoop.hive.metastore.api.EnvironmentContext;
import org.apache.hadoop.hive.metastore.api.FieldSchema;
import org.apache.hadoop.hive.metastore.api.MetaException;
import org.apache.hadoop.hive.metastore.api.SerDeInfo;
import org.apache.hadoop.hive.metastore.api.StorageDescriptor;
import org.apache.hadoop.hive.metastore.api.Table;
import org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe;
import org.apache.hadoop.hive.serde2.lazy.LazySimpleSerDe;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HudiMetaHookTest {
  private static final FieldSchema STORED = column("id", "int");

  private final HudiMetaHook hook =
      new HudiMetaHook(
          new Configuration(false), of -> Optional.of(Collections.singletonList(STORED)));

  @TempDir Path directory;
  private Table table;

  @BeforeEach
  void declareAValidTable() throws Exception {
    StorageDescriptor storage = new StorageDescriptor();
    storage.setLocation(HudiTestTable.create(directory).location());
    storage.addToCols(column("id", "bigint"));
    storage.setSerdeInfo(new SerDeInfo());
    table = new Table();
    table.setTableName("flights");
    table.setTableType("EXTERNAL_TABLE");
    table.setSd(storage);
    table.setParameters(new HashMap<>());
    table.putToParameters("EXTERNAL", "TRUE");
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "EXTERNAL, FALSE, CREATE EXTERNAL TABLE",
        "external.table.purge, True, DROP TABLE would delete its data. Set 'external.table.purge'",
        "skip.header.line.count, 1, Hive would leave out rows. Remove it",
        "skip.footer.line.count, 2, Hive would leave out rows. Remove it",
        "hudi.skipping.catalogue.hbase.quorum, other:1, not a table property",
        "hudi.skipping.index.cache.bytes, 1, not a table property",
        "hudi.skipping.mod, off, hudi.skipping.mod does nothing",
        "Hudi.Skipping.mode, off, Did you mean hudi.skipping.mode? Remove it",
        "hudi.skip.mode, off, Did you mean hudi.skipping.mode? Remove it",
        "hudi.skipping.columns, some, \"'table' for all columns of the Hudi table, to"
            + " 'declared'\"",
      })
  void refusesPropertiesAtCreateAndAtAlter(String name, String value, String message) {
    table.putToParameters(name, value);
    assertRefused(() -> hook.preCreateTable(table), message);
    assertRefused(() -> hook.preAlterTable(table, alteration("ADDPROPS")), message);
  }

  @Test
  void refusesPurgeBeforeDrop() {
    table.putToParameters("external.table.purge", "True");
    assertRefused(() -> hook.preDropTable(table, true), "DROP TABLE would delete");
  }

  @Test
  void refusesATableThatWouldBeMisread() {
    table.getSd().addToBucketCols("id");
    assertRefused(() -> hook.preCreateTable(table), "Omit CLUSTERED BY");
    table.getSd().unsetBucketCols();
    table.getSd().addToCols(column("city", "date"));
    assertRefused(() -> hook.preCreateTable(table), "declared as date");
  }

  @Test
  void replacesTheSerDeThatCreateTableLikeLeaves() throws Exception {
    table.getSd().getSerdeInfo().setSerializationLib(LazySimpleSerDe.class.getName());
    table.getSd().setInputFormat(HudiSkippingInputFormat.class.getName());
    hook.preCreateTable(table);
    assertThat(table.getSd().getSerdeInfo().getSerializationLib())
        .isEqualTo(HudiSerDe.class.getName());
    assertThat(table.getSd().getInputFormat()).isNull();
  }

  @Test
  void namesTheHandlerInItsMessages() {
    assertThat(HandlerClasses.STORAGE_HANDLER).isEqualTo(HudiStorageHandler.class.getName());
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
  void refusesToBecomeTheHandlerOfANativeTable() {
    table.setDbName("lake");
    table.getSd().getSerdeInfo().setSerializationLib(ParquetHiveSerDe.class.getName());
    assertRefused(
        () -> hook.preAlterTable(table, alteration("ADDPROPS")),
        "lake.flights is a native table",
        "hudi-skip adopt --hive HOST:PORT lake.flights",
        "ALTER TABLE lake.flights UNSET TBLPROPERTIES ('storage_handler')");
  }

  @Test
  void leavesTheColumnsOfANativeTableAloneSoThatItCanBeMended() {
    table.getSd().getSerdeInfo().setSerializationLib(ParquetHiveSerDe.class.getName());
    table.getSd().setCols(Collections.singletonList(STORED));
    hook.postGetTable(table);
    assertThat(table.getSd().getCols()).containsExactly(STORED);
  }

  @Test
  void putsColumnsThatWereNotDeclaredBehindThoseThatWereIfAsked() {
    table.getSd().setCols(Collections.singletonList(new FieldSchema("city", "string", "where")));
    table.putToParameters("hudi.skipping.columns", "extended");
    hook.postGetTable(table);
    assertThat(columns()).containsExactly("city string", "id bigint");
    assertThat(table.getSd().getCols().get(0).getComment()).isEqualTo("where");
  }

  @Test
  void allowsHiveToStoreStatistics() {
    assertThatCode(() -> hook.preAlterTable(table, null)).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(strings = {"ADDCOLS", "REPLACE_COLUMNS", "RENAME", "ALTERLOCATION", "SET_SERDE"})
  void refusesToChangeWhatHudiOwns(String operation) {
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
  void neverTreatsTheMetastoresStatisticsAsExact() {
    table.putToParameters(StatsSetupConst.COLUMN_STATS_ACCURATE, "{\"BASIC_STATS\":\"true\"}");
    hook.postGetTable(table);
    assertThat(StatsSetupConst.areBasicStatsUptoDate(table.getParameters()))
        .as("Hive answers queries with statistics that are up to date")
        .isFalse();
  }

  @Test
  void servesTheTablesCurrentColumns() throws Exception {
    table.getSd().setCols(Collections.singletonList(new FieldSchema("id", "int", "")));
    hook.postGetTable(table);
    assertThat(columns()).containsExactly("id bigint", "city string");
    assertThat(table.getParameters()).containsEntry("hudi.skipping.columns", "table");
  }

  @Test
  void keepsTheChoiceOfColumnsAndUpdatesTheirTypes() throws Exception {
    table
        .getSd()
        .setCols(
            Arrays.asList(
                column("City", "varchar(3)"),
                column("gone", "int"),
                new FieldSchema("id", "int", "the key")));
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
  void leavesTheStoredColumnsOfATableThatIsGone() {
    table.getSd().setLocation(directory.resolve("elsewhere").toString());
    hook.postGetTable(table);
    assertThat(columns()).as("DROP TABLE must work").containsExactly("id bigint");
  }

  @Test
  void acceptsAPartialTable() {
    table.unsetSd();
    assertThatCode(() -> hook.postGetTable(table)).doesNotThrowAnyException();
  }

  private List<String> columns() {
    return table.getSd().getCols().stream()
        .map(column -> column.getName() + " " + column.getType())
        .collect(Collectors.toList());
  }

  private static FieldSchema column(String name, String type) {
    return new FieldSchema(name, type, null);
  }

  private static void assertRefused(ThrowingCallable statement, String... messages) {
    assertThatThrownBy(statement)
        .isInstanceOf(MetaException.class)
        .hasMessageContainingAll(messages);
  }

  private static EnvironmentContext alteration(String operation) {
    return new EnvironmentContext(
        Collections.singletonMap(HiveMetaHook.ALTER_TABLE_OPERATION_TYPE, operation));
  }
}
