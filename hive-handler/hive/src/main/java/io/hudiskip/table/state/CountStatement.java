// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.table.state;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Statements that ask for nothing but the number of a table's rows. Judged by their text, because
 * Hive computes other aggregates from the number of rows, too, and not all as it computes them from
 * the rows: {@code sum(0.1D)} by a multiplication. Nor may a statement that Hive prepares and
 * executes later be answered when it is compiled.
 */
public final class CountStatement {
  private static final String NAME = "(?:`[^`]+`|\\w+)";

  private static final Pattern COUNT =
      Pattern.compile(
          "\\A(?:\\s|--[^\\n]*\\n)*+(?:explain\\s+)?"
              + "select\\s+count\\s*\\(\\s*[*1]\\s*\\)\\s*(?:(?:as\\s+)?"
              + NAME
              + "\\s+)?from\\s+(?:(?<database>"
              + NAME
              + ")\\s*\\.\\s*)?(?<table>"
              + NAME
              + ")(?:\\s+(?:as\\s+)?"
              + NAME
              + ")?\\s*;?\\s*\\z",
          Pattern.CASE_INSENSITIVE);

  private CountStatement() {}

  /**
   * Whether a statement counts the rows of a table, by its own name: a view may do more, even one
   * of the same name in another database.
   *
   * @param current the session's database
   * @param database that of the table
   * @param table its name
   */
  public static boolean counts(String statement, String current, String database, String table) {
    Matcher count = COUNT.matcher(statement);
    return count.matches()
        && isNamed(count.group("table"), table)
        && (count.group("database") == null
            ? current.equalsIgnoreCase(database)
            : isNamed(count.group("database"), database));
  }

  private static boolean isNamed(String quoted, String name) {
    return quoted.replace("`", "").equalsIgnoreCase(name);
  }
}
