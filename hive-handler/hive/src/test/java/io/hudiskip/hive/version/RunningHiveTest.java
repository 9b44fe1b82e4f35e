// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.version;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hive.common.util.HiveVersionInfo;
import org.junit.jupiter.api.Test;

/** The tests also run with other releases of Hive than the one they are compiled with. */
class RunningHiveTest {
  @Test
  void testsRunWithTheReleaseThatTheyWereStartedFor() {
    assertThat(HiveVersionInfo.getShortVersion())
        .isEqualTo(System.getProperty("hudiskip.hive.version"));
  }
}
