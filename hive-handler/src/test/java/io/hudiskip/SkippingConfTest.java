/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip;

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
    assertThat(conf.compilerStartTimeoutMillis()).isEqualTo(10000);
    assertThat(conf.compilerMaxRestarts()).isEqualTo(3);
    assertThat(conf.compilerMaxMessageBytes()).isEqualTo(4194304);
    assertThat(conf.compilerCacheEntries()).isEqualTo(1000);
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
  void onlyCompilerSettingsTellCompilersApart() {
    SkippingConf plain = SkippingConf.of(new Configuration(false));
    assertThat(with(SkippingConf.INDEX_CACHE_BYTES, "1").compilerKey())
        .isEqualTo(plain.compilerKey());
    assertThat(with(SkippingConf.COMPILER_TIMEOUT_MS, "1").compilerKey())
        .isNotEqualTo(plain.compilerKey());
  }

  @Test
  void aScanIsExplainedWhenSessionOrTableAsksForIt() {
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
  void theSessionsIndexLayoutWinsOverTheTables() {
    Configuration conf = new Configuration(false);
    Map<String, String> table = Collections.singletonMap(SkippingConf.INDEX, "Metadata-Table");
    assertThat(SkippingConf.index(conf, Collections.emptyMap())).isEqualTo(IndexLayout.PARQUET);
    assertThat(SkippingConf.index(conf, table)).isEqualTo(IndexLayout.METADATA_TABLE);
    conf.set(SkippingConf.INDEX, " parquet ");
    assertThat(SkippingConf.index(conf, table)).isEqualTo(IndexLayout.PARQUET);
    assertThat(SkippingConf.of(conf).index()).isEqualTo(IndexLayout.PARQUET);
    conf.set(SkippingConf.INDEX, "hfile");
    assertThat(SkippingConf.index(conf, table))
        .as("a layout that there is not")
        .isEqualTo(IndexLayout.PARQUET);
  }

  @Test
  void theSessionsCatalogueWinsOverTheTables() {
    Configuration conf = new Configuration(false);
    Map<String, String> table = Collections.singletonMap(SkippingConf.CATALOGUE, " HBase ");
    assertThat(SkippingConf.catalogue(conf, Collections.emptyMap()))
        .isEqualTo(PartitionSource.INDEX);
    assertThat(SkippingConf.catalogue(conf, table)).isEqualTo(PartitionSource.HBASE);
    conf.set(SkippingConf.CATALOGUE, "index");
    assertThat(SkippingConf.catalogue(conf, table)).isEqualTo(PartitionSource.INDEX);
    assertThat(SkippingConf.of(conf).hbaseTable()).isEqualTo("hudi_skip_partitions");
    assertThat(SkippingConf.of(conf).hbaseTimeoutMillis()).isEqualTo(2000);
  }

  @ParameterizedTest
  @CsvSource({
    "hudi.skipping.mode,onn,'on, shadow or off'",
    "hudi.skipping.mode,true,'on, shadow or off'",
    "hudi.skipping.explain,yes,true or false",
    "hudi.skipping.index,metadata table,'parquet, metadata-table or auto'",
    "hudi.skipping.catalogue,zookeeper,index or hbase"
  })
  void anUnknownValueIsRefusedWithTheKnownOnes(String name, String value, String known) {
    Map<String, String> settings = Collections.singletonMap(name, value);
    assertThatThrownBy(() -> SkippingConf.requireKnown("session", settings::get))
        .isInstanceOf(InvalidSettingException.class)
        .hasMessage("the session's " + name + "=" + value + " is unknown: it has to be " + known);
  }

  @ParameterizedTest
  @CsvSource({
    "hudi.skipping.mode,' Shadow '",
    "hudi.skipping.mode,''",
    "hudi.skipping.explain,TRUE",
    "hudi.skipping.index,Metadata-Table",
    "hudi.skipping.compiler.timeout.ms,soon"
  })
  void aKnownValueABlankOneAndNumbersAreNotRefused(String name, String value) {
    Map<String, String> settings = Collections.singletonMap(name, value);
    assertThatCode(() -> SkippingConf.requireKnown("session", settings::get))
        .doesNotThrowAnyException();
  }
}
