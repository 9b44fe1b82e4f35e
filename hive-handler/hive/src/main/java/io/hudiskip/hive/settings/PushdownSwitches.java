// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.settings;

import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.conf.HiveConf;
import org.apache.hudi.common.util.CollectionUtils;

/**
 * Hive's own switches for filter pushdown. Hive obeys the first two; with only the third off it
 * would still push the filter of a handler's table.
 */
public final class PushdownSwitches {
  private static final List<HiveConf.ConfVars> SWITCHES =
      CollectionUtils.createImmutableList(
          HiveConf.ConfVars.HIVE_OPT_PPD,
          HiveConf.ConfVars.HIVE_OPT_PPD_STORAGE,
          HiveConf.ConfVars.HIVE_OPT_INDEX_FILTER);

  private PushdownSwitches() {}

  /** The first disabled switch, as {@code name=false}; empty when all are on. */
  public static Optional<String> off(Configuration conf) {
    return SWITCHES.stream()
        .filter(name -> !HiveConf.getBoolVar(conf, name))
        .map(name -> name.varname + "=false")
        .findFirst();
  }
}
