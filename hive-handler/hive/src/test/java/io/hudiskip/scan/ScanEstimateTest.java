// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.conf.HiveConf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScanEstimateTest {

  /** Hive prints the plans of all queries if a hook needs them. */
  @ParameterizedTest
  @CsvSource({
    "EXPLAIN SELECT 1,true",
    "'  \n-- why?\n explain formatted select 1',true",
    "SELECT 1,false",
    "explained,false",
    "SELECT 'explain',false",
    "'',false"
  })
  void isOnlyComputedForExplain(String statement, boolean wanted) {
    Configuration conf = new Configuration(false);
    HiveConf.setQueryString(conf, statement);
    assertThat(ScanEstimate.isAskedFor(conf)).isEqualTo(wanted);
  }
}
