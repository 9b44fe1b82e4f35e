// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.cbo;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudiskip.hive.HudiTestTable;
import io.hudiskip.index.storage.IdIndex;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.common.StatsSetupConst;
import org.apache.hadoop.hive.metastore.api.ColumnStatisticsObj;
import org.apache.hadoop.hive.metastore.api.FieldSchema;
import org.apache.hadoop.hive.ql.metadata.Table;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The index counts other ids than the files have: so one sees what was asked. */
class TableColumnStatsTest {
  private static final String SETTING = "hudi.skipping.column.statistics";

  @TempDir Path directory;

  private HudiTestTable table;
  private String low;
  private String high;

  @BeforeEach
  void writeATable() throws Exception {
    table = HudiTestTable.partitioned(directory);
    low = table.insert("2025", 1, 9);
    high = table.insert("2026", 11, 12, 19);
  }

  private IdIndex index() throws Exception {
    return new IdIndex(directory)
        .countedFile("2025", low, 100, 200, 100)
        .countedFile("2026", high, 200, 300, 400, 500);
  }

  private Table hiveTable() {
    Table hive = new Table("lake", "flights");
    hive.setDataLocation(new org.apache.hadoop.fs.Path(table.location()));
    hive.setFields(
        Arrays.asList(
            new FieldSchema("id", "bigint", null), new FieldSchema("city", "string", null)));
    return hive;
  }

  private static Configuration session(String... settings) {
    Configuration session = new Configuration();
    session.set(SETTING, "on");
    for (int i = 0; i < settings.length; i += 2) {
      session.set(settings[i], settings[i + 1]);
    }
    return session;
  }

  private List<ColumnStatisticsObj> found() {
    return TableColumnStats.of(session(), hiveTable()).all();
  }

  @Test
  void columnsThatAreCountedInEachFileHaveStatistics() throws Exception {
    index().publishAsOf(table.completed());
    List<ColumnStatisticsObj> found = found();
    assertThat(found).extracting(ColumnStatisticsObj::getColName).containsExactly("id");
    assertThat(found.get(0).getColType()).isEqualTo("bigint");
    assertThat(found.get(0).getStatsData().getLongStats())
        .satisfies(
            id -> {
              assertThat(id.getNumDVs()).isEqualTo(5);
              assertThat(id.getLowValue()).isEqualTo(100);
              assertThat(id.getHighValue()).isEqualTo(500);
              assertThat(id.getNumNulls()).isZero();
            });
  }

  @Test
  void callersMayChangeWhatTheyGet() throws Exception {
    index().publishAsOf(table.completed());
    List<ColumnStatisticsObj> found = found();
    found.get(0).getStatsData().getLongStats().setNumDVs(1);
    found.clear();
    assertThat(found().get(0).getStatsData().getLongStats().getNumDVs()).isEqualTo(5);
  }

  @Test
  void someColumnsCanBeAskedFor() throws Exception {
    index().publishAsOf(table.completed());
    TableColumnStats stats = TableColumnStats.of(session(), hiveTable());
    assertThat(stats.of(Arrays.asList("city", "ID"))).hasSize(1);
    assertThat(stats.of(Collections.singletonList("city"))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    SETTING + ", off",
    "hudi.skipping.mode, off",
    "hudi.skipping.index, metadata-table",
    "hoodie.flights.consume.commit, 20260101000000001"
  })
  void anotherSettingOrStateHasNone(String setting, String value) throws Exception {
    index().publishAsOf(table.completed());
    assertThat(TableColumnStats.of(session(setting, value), hiveTable()).isEmpty()).isTrue();
  }

  @Test
  void aTableMayTurnThemOn() throws Exception {
    index().publishAsOf(table.completed());
    Table on = hiveTable();
    on.setProperty(SETTING, "on");
    assertThat(TableColumnStats.of(new Configuration(), on).isEmpty()).isFalse();
    assertThat(TableColumnStats.of(session(SETTING, "off"), on).isEmpty()).isTrue();
  }

  @Test
  void aPastStateAndAReadOptimizedTableHaveNone() throws Exception {
    index().publishAsOf(table.completed());
    Table past = hiveTable();
    past.setAsOfVersion("20260101000000001");
    assertThat(TableColumnStats.of(session(), past).isEmpty()).isTrue();
    Table readOptimized = hiveTable();
    readOptimized.setProperty("hoodie.query.as.ro.table", "true");
    assertThat(TableColumnStats.of(session(), readOptimized).isEmpty()).isTrue();
  }

  @Test
  void aCommitThatTheIndexHasNotSeenLeavesNone() throws Exception {
    index().publishAsOf(table.completed());
    assertThat(found()).hasSize(1);
    table.insert("2026", 20);
    assertThat(found()).isEmpty();
  }

  @Test
  void aFileWithoutASketchLeavesNone() throws Exception {
    new IdIndex(directory)
        .countedFile("2025", low, 100)
        .file("2026", high, 10, 19)
        .publishAsOf(table.completed());
    assertThat(found()).isEmpty();
  }

  @Test
  void aTableWithoutAnIndexOrADamagedOneHasNone() throws Exception {
    assertThat(found()).as("no index").isEmpty();
    Table missing = hiveTable();
    missing.setDataLocation(new org.apache.hadoop.fs.Path("/no/such/table"));
    assertThat(TableColumnStats.of(session(), missing).isEmpty()).isTrue();
  }

  @Test
  void noColumnIsCalledAccurate() throws Exception {
    index().publishAsOf(table.completed());
    Table analyzed = hiveTable();
    StatsSetupConst.setBasicStatsState(analyzed.getParameters(), StatsSetupConst.TRUE);
    StatsSetupConst.setColumnStatsState(analyzed.getParameters(), Collections.singletonList("id"));
    assertThat(StatsSetupConst.areColumnStatsUptoDate(analyzed.getParameters(), "id")).isTrue();
    assertThat(TableColumnStats.of(session(), analyzed).isEmpty()).isFalse();
    assertThat(StatsSetupConst.areColumnStatsUptoDate(analyzed.getParameters(), "id")).isFalse();
    assertThat(StatsSetupConst.areBasicStatsUptoDate(analyzed.getParameters())).isTrue();
  }
}
