// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.Map;
import java.util.Properties;
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
    assertThat(conf.compilerCommand()).containsExactly("hudi-skip");
    assertThat(conf.compilerAddress()).isEmpty();
    assertThat(conf.compilerTimeoutMillis()).isEqualTo(2000);
    assertThat(conf.indexCacheBytes()).isEqualTo(268435456L);
  }

  @ParameterizedTest
  @CsvSource({
    "on,on,ON",
    "off,on,OFF",
    "on,off,OFF",
    "ON,On,ON",
    "shadow,on,SHADOW",
    "on,Shadow,SHADOW",
    "shadow,off,OFF",
    "off,shadow,OFF",
    "true,on,OFF",
    "on,no,OFF"
  })
  void theMoreCautiousModeWinsAndAnUnknownModeIsOff(
      String session, String table, SkippingMode expected) {
    Configuration conf = new Configuration(false);
    conf.set(SkippingConf.MODE, session);
    Properties properties = new Properties();
    properties.setProperty(SkippingConf.MODE, table);
    assertThat(SkippingConf.mode(conf, properties)).isEqualTo(expected);
    assertThat(SkippingConf.mode(conf, Collections.emptyMap()))
        .as("a table without the property")
        .isEqualTo(SkippingConf.of(conf).mode());
    assertThat(SkippingConf.mode(new Configuration(false), properties))
        .as("a session without the setting")
        .isEqualTo(with(SkippingConf.MODE, table).mode());
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
    assertThat(with(SkippingConf.COMPILER_COMMAND, "  ").compilerCommand())
        .containsExactly("hudi-skip");
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
    assertThat(SkippingConf.of(session).explain()).isFalse();
    assertThat(SkippingConf.explain(session, Collections.emptyMap())).isFalse();
    assertThat(
            SkippingConf.explain(
                session, Collections.singletonMap("hudi.skipping.explain", " TRUE ")))
        .isTrue();
    session.set("hudi.skipping.explain", "yes");
    assertThat(SkippingConf.of(session).explain()).as("not a boolean").isFalse();
    session.set("hudi.skipping.explain", "true");
    assertThat(SkippingConf.of(session).explain()).isTrue();
    assertThat(
            SkippingConf.explain(
                session, Collections.singletonMap("hudi.skipping.explain", "false")))
        .isTrue();
  }

  @Test
  void theSessionsStatisticsSourceOverridesTheTables() {
    Configuration conf = new Configuration(false);
    Map<String, String> table = Collections.singletonMap(SkippingConf.INDEX, "Metadata-Table");
    assertThat(SkippingConf.index(conf, Collections.emptyMap()))
        .isEqualTo(StatisticsSource.PARQUET);
    assertThat(SkippingConf.index(conf, table)).isEqualTo(StatisticsSource.METADATA_TABLE);
    conf.set(SkippingConf.INDEX, " parquet ");
    assertThat(SkippingConf.index(conf, table)).isEqualTo(StatisticsSource.PARQUET);
    assertThat(SkippingConf.of(conf).index()).isEqualTo(StatisticsSource.PARQUET);
    conf.set(SkippingConf.INDEX, "hfile");
    assertThat(SkippingConf.index(conf, table))
        .as("an unknown source")
        .isEqualTo(StatisticsSource.PARQUET);
  }

  @Test
  void theSessionsCatalogueOverridesTheTables() {
    Configuration conf = new Configuration(false);
    Map<String, String> table = Collections.singletonMap(SkippingConf.CATALOGUE, " HBase ");
    assertThat(SkippingConf.catalogue(conf, Collections.emptyMap())).isEqualTo("index");
    assertThat(SkippingConf.catalogue(conf, table)).isEqualTo("hbase");
    conf.set(SkippingConf.CATALOGUE, "index");
    assertThat(SkippingConf.catalogue(conf, table)).isEqualTo("index");
  }

  @ParameterizedTest
  @CsvSource({
    "hudi.skipping.mode,onn,'off, shadow or on'",
    "hudi.skipping.mode,true,'off, shadow or on'",
    "hudi.skipping.explain,yes,true or false",
    "hudi.skipping.index,metadata table,'auto, parquet or metadata-table'"
  })
  void anUnknownValueIsRejectedAndTheKnownOnesListed(String name, String value, String known) {
    Map<String, String> settings = Collections.singletonMap(name, value);
    assertThatThrownBy(() -> SkippingConf.requireKnown("session", settings::get))
        .isInstanceOf(InvalidSettingException.class)
        .hasMessage("the session's " + name + "=" + value + " is unknown: use " + known);
  }

  @Test
  void aCatalogueWithoutItsJarIsRefusedForTablesAndPassesForQueries() {
    Map<String, String> unknown = Collections.singletonMap(SkippingConf.CATALOGUE, "zookeeper");
    Map<String, String> known = Collections.singletonMap(SkippingConf.CATALOGUE, " HBase ");
    assertThatThrownBy(() -> SkippingConf.requireInstalledCatalogue("table", unknown::get))
        .isInstanceOf(InvalidSettingException.class)
        .hasMessage(
            "the table's hudi.skipping.catalogue=zookeeper is unknown: use index or the name of a"
                + " partition catalogue whose jar is on the class path; installed: hbase");
    assertThatCode(() -> SkippingConf.requireInstalledCatalogue("table", known::get))
        .doesNotThrowAnyException();
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
