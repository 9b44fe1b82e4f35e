/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.table;

import org.apache.hudi.common.table.HoodieTableConfig;
import org.apache.hudi.common.table.HoodieTableVersion;

/** The versions of Hudi tables that this release reads. */
final class TableVersions {
  private TableVersions() {}

  /**
   * Accepts a table of a known version.
   *
   * @throws UnreadableTableException when the version is newer, or none
   */
  static void require(HoodieTableConfig config, String path) throws UnreadableTableException {
    int newest = HoodieTableVersion.current().versionCode();
    String version =
        config.getProps().getProperty(HoodieTableConfig.VERSION.key(), "" + newest).trim();
    boolean isNumber = version.matches("\\d{1,9}");
    if (isNumber && Integer.parseInt(version) <= newest) {
      return;
    }
    throw new UnreadableTableException(
        path
            + " has table version "
            + version
            + "; this release reads versions up to "
            + newest
            + ". "
            + (isNumber
                ? "Query the table through Spark, or take it back to version "
                    + newest
                    + " with Hudi's procedure downgrade_table"
                : "Correct " + HoodieTableConfig.VERSION.key() + " in its hoodie.properties"));
  }
}
