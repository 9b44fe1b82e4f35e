// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan;

import io.hudiskip.index.columns.TableArgument;

/**
 * A log line for people and programs: {@code key=value} pairs. Values with blanks are in double
 * quotes, with double quotes and backslashes escaped by a backslash.
 */
public final class LogLine {
  private final StringBuilder line;

  private LogLine(String start) {
    this.line = new StringBuilder(start);
  }

  /** Begins a line for a scan's query and table. */
  public static LogLine about(String subject, TableScan scan) {
    return new LogLine("hudi-skip " + subject)
        .add("query", scan.queryId())
        .add("tag", scan.queryTag())
        .add("table", TableArgument.of(scan.root()));
  }

  /** Appends a pair; null becomes an empty value. */
  public LogLine add(String key, Object value) {
    line.append(' ').append(key).append('=').append(quoted(value == null ? "" : value.toString()));
    return this;
  }

  private static String quoted(String value) {
    boolean plain =
        value.chars().noneMatch(c -> c <= ' ' || c == '"' || c == '\\' || c == '=' || c == 0x7f);
    if (plain) {
      return value;
    }
    String escaped = value.replace("\\", "\\\\").replace("\"", "\\\"");
    return '"' + escaped.replaceAll("\\p{Cc}", " ") + '"'; // one line
  }

  @Override
  public String toString() {
    return line.toString();
  }
}
