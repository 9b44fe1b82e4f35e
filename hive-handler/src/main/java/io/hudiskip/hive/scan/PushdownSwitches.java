/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.scan;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.conf.HiveConf;

/**
 * Hive's own switches by which a user says that no filter is to reach the storage. Hive obeys the
 * first two; with the third alone it would still push the filter of a handler's table.
 */
public final class PushdownSwitches {
  private static final List<HiveConf.ConfVars> SWITCHES =
      Collections.unmodifiableList(
          Arrays.asList(
              HiveConf.ConfVars.HIVE_OPT_PPD,
              HiveConf.ConfVars.HIVE_OPT_PPD_STORAGE,
              HiveConf.ConfVars.HIVE_OPT_INDEX_FILTER));

  private PushdownSwitches() {}

  /** The first switch that is off, as {@code name=false}; empty when all are on. */
  public static Optional<String> off(Configuration conf) {
    return SWITCHES.stream()
        .filter(name -> !HiveConf.getBoolVar(conf, name))
        .map(name -> name.varname + "=false")
        .findFirst();
  }
}
