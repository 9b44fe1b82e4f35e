// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SkippingConfTest {
  private static SkippingConf with(String key, String value) {
    Configuration conf = new Configuration(false);
    conf.set(key, value);
    return SkippingConf.of(conf);
  }

  @Test
  void everySettingHasItsDocumentedDefault() {
    SkippingConf conf = SkippingConf.of(new Configuration(false));
    assertThat(conf.mode()).isEqualTo(SkippingMode.ON);
    assertThat(conf.compilerCommand()).as("the compiler in the jar").isEmpty();
    assertThat(conf.compilerAddress()).isEmpty();
    assertThat(conf.compilerTimeoutMillis()).isEqualTo(2000);
    assertThat(conf.indexCacheBytes()).isEqualTo(268435456L);
  }

  @Test
  void anUnknownModeIsOff() {
    Configuration none = new Configuration(false);
    Map<String, String> table = Collections.singletonMap(SkippingConf.MODE, "no");
    assertThat(with(SkippingConf.MODE, "true").mode()).isEqualTo(SkippingMode.OFF);
    assertThat(SkippingConf.of(none, table).mode()).isEqualTo(SkippingMode.OFF);
  }

  @ParameterizedTest
  @CsvSource({"abc", "-1", "0", "99999999999999999999", "2.5"})
  void anInvalidNumberIsReplacedByTheDefault(String value) {
    assertThat(with(SkippingConf.COMPILER_TIMEOUT_MS, value).compilerTimeoutMillis())
        .isEqualTo(2000);
  }

  @Test
  void aCommandIsSplitAtBlanksOutsideQuotes() {
    assertThat(
            with(SkippingConf.COMPILER_COMMAND, " \"/opt/my env/bin/python\"  -m \"\" pycompiler ")
                .compilerCommand())
        .containsExactly("/opt/my env/bin/python", "-m", "pycompiler");
    assertThat(with(SkippingConf.COMPILER_COMMAND, "  ").compilerCommand()).isEmpty();
  }

  @Test
  void compilersDifferOnlyByCompilerSettings() {
    SkippingConf plain = SkippingConf.of(new Configuration(false));
    assertThat(with(SkippingConf.INDEX_CACHE_BYTES, "1").compilerKey())
        .isEqualTo(plain.compilerKey());
    assertThat(with(SkippingConf.COMPILER_TIMEOUT_MS, "1").compilerKey())
        .isNotEqualTo(plain.compilerKey());
  }

  @Test
  void aScanIsExplainedWhenSessionOrTableRequestsIt() {
    Configuration session = new Configuration(false);
    Map<String, String> on = Collections.singletonMap(SkippingConf.EXPLAIN, " TRUE ");
    Map<String, String> off = Collections.singletonMap(SkippingConf.EXPLAIN, "false");
    assertThat(SkippingConf.of(session).explain()).isFalse();
    assertThat(SkippingConf.of(session, on).explain()).isTrue();
    session.set(SkippingConf.EXPLAIN, "yes");
    assertThat(SkippingConf.of(session).explain()).as("not a boolean").isFalse();
    session.set(SkippingConf.EXPLAIN, "true");
    assertThat(SkippingConf.of(session, off).explain()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    ",,AUTO,index",
    "Metadata-Table,' HBase ',METADATA_TABLE,hbase",
  })
  void theTablesSourcesApplyUnlessTheSessionHasOthers(
      String index, String catalogue, StatisticsSource readIndex, String readCatalogue) {
    Configuration session = new Configuration(false);
    Map<String, String> table = new HashMap<>();
    table.put(SkippingConf.INDEX, index);
    table.put(SkippingConf.CATALOGUE, catalogue);
    assertThat(SkippingConf.of(session, table).index()).isEqualTo(readIndex);
    assertThat(SkippingConf.of(session, table).catalogue()).isEqualTo(readCatalogue);
    session.set(SkippingConf.CATALOGUE, "index");
    assertThat(SkippingConf.of(session, table).catalogue()).isEqualTo("index");
    for (String ofSession : new String[] {" parquet ", "hfile"}) {
      session.set(SkippingConf.INDEX, ofSession);
      assertThat(SkippingConf.of(session, table).index())
          .as(ofSession)
          .isEqualTo(StatisticsSource.PARQUET);
    }
  }

  @Test
  void aCatalogueWithoutItsJarIsRefusedForTablesAndPassesForQueries() {
    Map<String, String> unknown = Collections.singletonMap(SkippingConf.CATALOGUE, "zookeeper");
    Map<String, String> known = Collections.singletonMap(SkippingConf.CATALOGUE, " HBase ");
    assertThatThrownBy(() -> SkippingConf.requireInstalledCatalogue(unknown))
        .isInstanceOf(InvalidSettingException.class)
        .hasMessage(
            "the table's hudi.skipping.catalogue=zookeeper is unknown: use index or the name of a"
                + " partition catalogue whose jar is on the class path; installed: hbase");
    assertThatCode(() -> SkippingConf.requireInstalledCatalogue(known)).doesNotThrowAnyException();
    assertThatCode(() -> SkippingConf.requireKnown("session", unknown::get))
        .doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource({
    "hudi.skipping.mode,' Shadow '",
    "hudi.skipping.mode,''",
    "hudi.skipping.explain,TRUE",
    "hudi.skipping.index,Metadata-Table",
    "hudi.skipping.compiler.timeout.ms,soon"
  })
  void knownBlankAndNumericValuesAreAccepted(String name, String value) {
    Map<String, String> settings = Collections.singletonMap(name, value);
    assertThatCode(() -> SkippingConf.requireKnown("session", settings::get))
        .doesNotThrowAnyException();
  }
}
