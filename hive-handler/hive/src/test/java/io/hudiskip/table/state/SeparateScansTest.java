// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.table.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudiskip.hive.settings.InvalidSettingException;
import org.apache.hadoop.hive.conf.HiveConf;
import org.apache.hadoop.hive.conf.HiveConf.ConfVars;
import org.junit.jupiter.api.Test;

/** The order of Hive's calls; that Hive makes them is what the end-to-end tests show. */
class SeparateScansTest {
  private final HiveConf settings = new HiveConf();
  private final SeparateScans scan = new SeparateScans();

  @Test
  void theScanOfAPastStateIsMadeByQueryBlockAndSharesNoWork() {
    scan.readPastState();
    genTableLogicalPlan(scan);
    assertThat(isByQueryBlock()).as("while it is made").isTrue();
    assertThat(settings.getBoolVar(ConfVars.HIVE_SHARED_WORK_OPTIMIZATION)).isFalse();
    scan.makeOrCheckScan();
    assertThat(isByQueryBlock()).as("when it is checked").isFalse();
    assertThatCode(SeparateScans::requireFinishedScan).doesNotThrowAnyException();
  }

  @Test
  void aScanThatThePlanWithoutCalciteHasIsNotMadeByQueryBlock() {
    scan.readPastState();
    plan(scan);
    assertThat(isByQueryBlock()).isFalse();
    assertThat(settings.getBoolVar(ConfVars.HIVE_SHARED_WORK_OPTIMIZATION)).isFalse();
    assertThatCode(SeparateScans::requireFinishedScan).doesNotThrowAnyException();
  }

  @Test
  void aScanOfTheLatestStateChangesNothing() {
    genTableLogicalPlan(scan);
    assertThat(isByQueryBlock()).isFalse();
    assertThat(settings.getBoolVar(ConfVars.HIVE_SHARED_WORK_OPTIMIZATION)).isTrue();
  }

  @Test
  void theNextScanEndsIt() {
    scan.readPastState();
    genTableLogicalPlan(scan);
    genTableLogicalPlan(new SeparateScans());
    assertThat(isByQueryBlock()).isFalse();
  }

  @Test
  void aReanalysedStatementStartsAfresh() {
    scan.readPastState();
    genTableLogicalPlan(scan);
    new SeparateScans().readPastState();
    assertThat(isByQueryBlock()).isFalse();
  }

  @Test
  void aPlanMadeInTheMeantimeIsRefused() {
    scan.readPastState();
    genTableLogicalPlan(scan);
    assertThatThrownBy(SeparateScans::requireFinishedScan)
        .isInstanceOf(InvalidSettingException.class)
        .hasMessageContaining("SET hive.cbo.enable=false");
    assertThat(isByQueryBlock()).isFalse();
  }

  @Test
  void theSessionsOwnSettingStays() {
    settings.setBoolVar(ConfVars.HIVE_CBO_RETPATH_HIVEOP, true);
    scan.readPastState();
    genTableLogicalPlan(scan);
    scan.makeOrCheckScan();
    assertThat(isByQueryBlock()).isTrue();
    assertThatCode(SeparateScans::requireFinishedScan).doesNotThrowAnyException();
  }

  /** Named as Hive's method, by which a call that creates a scan is told from others. */
  private void genTableLogicalPlan(SeparateScans made) {
    plan(made);
  }

  /** What Hive's {@code genTablePlan} does since 4.1, without or after the CBO. */
  private void plan(SeparateScans planned) {
    SeparateScans.scanFollows(settings);
    planned.joinPlan();
    planned.makeOrCheckScan();
  }

  private boolean isByQueryBlock() {
    return settings.getBoolVar(ConfVars.HIVE_CBO_RETPATH_HIVEOP);
  }
}
