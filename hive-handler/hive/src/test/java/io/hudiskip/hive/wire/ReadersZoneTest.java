// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.ZoneId;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.conf.HiveConf;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReadersZoneTest {
  @ParameterizedTest
  @ValueSource(strings = {"UTC", "Etc/UTC", "Z", "GMT", "UTC+00:00"})
  void knowsUtcByAllItsNames(String zone) {
    assertThat(ReadersZone.isUtc(ZoneId.of(zone))).isTrue();
  }

  /** In winter, London has UTC too. */
  @ParameterizedTest
  @ValueSource(strings = {"Pacific/Auckland", "Europe/London", "Atlantic/Reykjavik", "UTC+01:00"})
  void otherZonesWereNotAlwaysUtc(String zone) {
    assertThat(ReadersZone.isUtc(ZoneId.of(zone))).isFalse();
  }

  @Test
  void tasksOfTezInLocalModeReadHere() {
    assertThat(ReadersZone.isReadHere(tez(), site("true"))).isTrue();
    assertThat(ReadersZone.isReadHere(tez(), site("false"))).isFalse();
    assertThat(ReadersZone.isReadHere(tez(), new Configuration(false))).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"tez.local.mode,true", "tez.local.mode,false", "hive.execution.engine,mr", "hive.execution.mode,llap"})
  void otherTasksMayReadElsewhere(String setting, String value) {
    HiveConf statement = tez();
    statement.set(setting, value);
    assertThat(ReadersZone.isReadHere(statement, site("true"))).isFalse();
  }

  private static HiveConf tez() {
    HiveConf conf = new HiveConf();
    conf.setVar(HiveConf.ConfVars.HIVE_EXECUTION_ENGINE, "tez");
    return conf;
  }

  private static Configuration site(String localMode) {
    Configuration site = new Configuration(false);
    site.set("tez.local.mode", localMode);
    return site;
  }
}
