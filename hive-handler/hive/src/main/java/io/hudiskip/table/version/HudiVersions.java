// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.table.version;

import java.util.Optional;
import org.apache.hudi.common.table.HoodieTableConfig;
import org.apache.hudi.common.table.HoodieTableVersion;

/** What differs between the versions of Hudi tables that this release reads. */
public final class HudiVersions {
  private HudiVersions() {}

  /** Why a table cannot be read: a newer version, or none. Empty for a known version. */
  public static Optional<String> problem(HoodieTableConfig table, String path) {
    int newest = HoodieTableVersion.current().versionCode();
    String version =
        table.getProps().getProperty(HoodieTableConfig.VERSION.key(), "" + newest).trim();
    boolean isNumber = version.matches("\\d{1,9}");
    if (isNumber && Integer.parseInt(version) <= newest) {
      return Optional.empty();
    }
    String remedy =
        isNumber
            ? "Query the table through Spark, or downgrade it to version "
                + newest
                + " with Hudi's procedure downgrade_table"
            : "Correct " + HoodieTableConfig.VERSION.key() + " in its hoodie.properties";
    return Optional.of(
        String.format(
            "%s has table version %s; this release reads versions up to %d. %s",
            path, version, newest, remedy));
  }

  /**
   * Whether instants record when they completed. Older tables only record when they were requested.
   */
  public static boolean recordsCompletionTimes(HoodieTableConfig table) {
    return table.getTableVersion().greaterThanOrEquals(HoodieTableVersion.EIGHT);
  }

  /** Whether that holds for all instants: an upgrade invents times for earlier ones. */
  public static boolean recordsAllCompletionTimes(HoodieTableConfig table) {
    return recordsCompletionTimes(table)
        && table.contains(HoodieTableConfig.INITIAL_VERSION)
        && table.getTableInitialVersion().greaterThanOrEquals(HoodieTableVersion.EIGHT);
  }

  /**
   * Whether a log file's name has the instant of its base file, not of the commit that wrote it.
   */
  public static boolean namesLogsByBaseInstant(HoodieTableConfig table) {
    return table.getTableVersion().lesserThan(HoodieTableVersion.EIGHT);
  }

  /** Whether the properties name the merge mode, by which Hudi then reads. */
  public static boolean namesMergeMode(HoodieTableConfig table) {
    return table.getTableVersion().greaterThanOrEquals(HoodieTableVersion.EIGHT);
  }

  /** Whether the properties of merging are what they say; before, Hudi infers some from others. */
  public static boolean settlesMerging(HoodieTableConfig table) {
    return table.getTableVersion().greaterThanOrEquals(HoodieTableVersion.NINE);
  }

  /** Whether the key of one field may be {@code field:value} or {@code value}: releases differ. */
  public static boolean hasAmbiguousComplexKeys(HoodieTableConfig table) {
    return table.getTableVersion().lesserThan(HoodieTableVersion.EIGHT);
  }
}
