// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.ddl;

/** Messages used by several refusals of statements. */
public final class RefusalMessages {
  public static final String NO_LOCATION =
      "a Hudi table needs LOCATION '<root directory>': the directory to which Hudi has written the"
          + " table";

  public static final String READ_ONLY =
      "Hudi tables are read-only in Hive: files written by Hive would not belong to any Hudi"
          + " commit. Write the table with Spark";

  private RefusalMessages() {}
}
