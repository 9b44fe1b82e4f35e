/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.ddl;

/** What people are told in more than one place about statements that this handler refuses. */
public final class Refusals {
  /** Of a table without LOCATION. */
  public static final String NO_LOCATION =
      "a Hudi table needs LOCATION '<root directory of the table>': the handler reads a table that"
          + " Hudi has written";

  /** Of a statement that writes; it says what to do instead. */
  public static final String READ_ONLY =
      "Hudi tables are read-only in Hive: a file that Hive writes is in no Hudi commit. Write the"
          + " table with Spark, as it was made";

  private Refusals() {}
}
