// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive;

import static io.hudiskip.hive.HiveJobs.idEquals;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudiskip.index.storage.IdIndex;
import io.hudiskip.table.TableTotals;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hive.ql.metadata.HiveStoragePredicateHandler.DecomposedPredicate;
import org.apache.hadoop.hive.ql.metadata.Table;
import org.apache.hadoop.hive.ql.plan.ExprNodeGenericFuncDesc;
import org.apache.hadoop.hive.ql.plan.TableDesc;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.security.UserGroupInformation;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HudiStorageHandlerTest {
  private final HudiStorageHandler handler = new HudiStorageHandler();

  @TempDir Path directory;

  @BeforeEach
  void configure() {
    handler.setConf(new Configuration(false));
    handler.getConf().set("hudi.skipping.compiler.command", "no-such-command");
  }

  @Test
  void leavesTheWholeFilterToHiveAndPushesACopy() {
    ExprNodeGenericFuncDesc filter = idEquals(7);
    DecomposedPredicate decomposed = handler.decomposePredicate(new JobConf(false), null, filter);
    assertThat(decomposed.residualPredicate).isSameAs(filter);
    assertThat(decomposed.pushedPredicate.isSame(filter)).isTrue();
    assertThat(decomposed.pushedPredicate)
        .as("Hive changes the filter of the rows in place")
        .isNotSameAs(filter);
    assertThat(decomposed.pushedPredicate.getChildren().get(0))
        .isNotSameAs(filter.getChildren().get(0));
    assertThat(decomposed.pushedPredicateObject).as("without a compiler").isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "on,on,on",
    "ON,On,on",
    "off,on,off",
    "on,off,off",
    "shadow,on,shadow",
    "on,Shadow,shadow",
    "shadow,off,off",
    "off,shadow,off",
    ",shadow,shadow",
    ",,on",
    ",off,off",
    "off,,off"
  })
  void takesTheMoreCautiousModeOfSessionAndTable(String session, String table, String expected) {
    if (session != null) {
      handler.getConf().set("hudi.skipping.mode", session);
    }
    Properties properties = new Properties();
    if (table != null) {
      properties.setProperty("hudi.skipping.mode", table);
    }
    assertThat(jobProperties(properties)).containsEntry("hudi.skipping.mode", expected);
  }

  @Test
  void takesNoRowsFromTheIndexForAUserWhoIsNotHiveServer2s() throws Exception {
    handler.getConf().set("hudi.skipping.counts", "on");
    PrivilegedExceptionAction<Map<String, String>> compiled = () -> jobProperties(new Properties());
    UserGroupInformation another = UserGroupInformation.createRemoteUser("another");
    assertThat(compiled.run()).containsEntry("hudi.skipping.counts", "on");
    assertThat(another.doAs(compiled))
        .as("may not be allowed to read a file")
        .containsEntry("hudi.skipping.counts", "off");
  }

  @Test
  void doesNotLetATableChooseTheCompiler() {
    Properties properties = new Properties();
    properties.setProperty("hudi.skipping.compiler.command", "rm -r /");
    properties.setProperty("hudi.skipping.compiler.address", "evil:1");
    assertThat(jobProperties(properties))
        .containsEntry("hudi.skipping.compiler.command", "no-such-command")
        .containsEntry("hudi.skipping.compiler.address", "");
  }

  @Test
  void catalogueSettingsAreTheSessionsAloneAndAlwaysWritten() {
    handler.getConf().set("hudi.skipping.catalogue.hbase.quorum", "zk1:2181");
    Properties properties = new Properties();
    properties.setProperty("hudi.skipping.catalogue.hbase.quorum", "evil:2181");
    properties.setProperty("hudi.skipping.catalogue.hbase.password", "secret");
    assertThat(jobProperties(properties))
        .containsEntry("hudi.skipping.catalogue.hbase.quorum", "zk1:2181")
        .as("blank, or on MapReduce another table's property would stay in the job")
        .containsEntry("hudi.skipping.catalogue.hbase.table", "")
        .containsEntry("hudi.skipping.catalogue.hbase.timeout.ms", "")
        .doesNotContainKey("hudi.skipping.catalogue.hbase.password");
  }

  @Test
  void returnsTheSizeOfATableFromTheIndexOrElseHudisListing() throws Exception {
    HudiTestTable table = HudiTestTable.partitioned(directory);
    String file = table.insert("2025", 1, 2);
    long size = table.size("2025", file);
    TableTotals listed = TableTotals.of(handler.getConf(), root(table.location()));
    assertThat(listed.files()).isEqualTo(1);
    assertThat(listed.bytes()).isEqualTo(size);
    assertThat(listed.rows()).as("rows are not counted").isEmpty();

    new IdIndex(directory).file("2025", file, 1, 2).publish();
    // Another name of the same folder, since the previous result is still cached.
    TableTotals indexed =
        TableTotals.of(handler.getConf(), new org.apache.hadoop.fs.Path(table.location()));
    assertThat(indexed.rows()).hasValue(600);
  }

  @Test
  void answersNoQueryWithItsStatisticsByDefault() {
    assertThat(handler.canProvideBasicStatistics()).isTrue();
    assertThat(handler.canComputeQueryUsingStats(new Table("default", "t"))).isFalse();
  }

  @Test
  void refusesWritesWhenAStatementIsCompiledAndInATask() {
    ReadOnlyOutputFormat output = new ReadOnlyOutputFormat();
    for (ThrowingCallable write :
        new ThrowingCallable[] {
          () -> handler.validateSinkDesc(null),
          () -> output.getHiveRecordWriter(null, null, null, false, null, null),
          () -> output.getRecordWriter(null, null, null, null),
          () -> output.checkOutputSpecs(null, null),
        }) {
      assertThatThrownBy(write).hasMessageContaining("read-only in Hive");
    }
  }

  private org.apache.hadoop.fs.Path root(String location) throws Exception {
    return FileSystem.getLocal(handler.getConf())
        .makeQualified(new org.apache.hadoop.fs.Path(location));
  }

  private Map<String, String> jobProperties(Properties tableProperties) {
    TableDesc table = new TableDesc();
    table.setProperties(tableProperties);
    Map<String, String> properties = new HashMap<>();
    handler.configureInputJobProperties(table, properties);
    return properties;
  }
}
