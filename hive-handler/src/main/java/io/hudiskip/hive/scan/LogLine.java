/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.scan;

/**
 * A line of the log that programs read as well: {@code key=value} pairs, values with blanks in
 * double quotes, in which a double quote and a backslash have a backslash before them.
 */
public final class LogLine {
  private final StringBuilder line;

  private LogLine(String start) {
    this.line = new StringBuilder(start);
  }

  /** Begins a line about a query and a table. */
  public static LogLine about(String subject, TableScan scan) {
    return new LogLine("hudi-skip " + subject)
        .add("query", scan.queryId())
        .add("tag", scan.queryTag())
        .add("table", scan.root().toUri().getPath());
  }

  /** Appends a pair; a null value as an empty one. */
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
    StringBuilder quoted = new StringBuilder("\"");
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '"' || c == '\\') {
        quoted.append('\\').append(c);
      } else {
        quoted.append(Character.isISOControl(c) ? ' ' : c); // one line for one subject
      }
    }
    return quoted.append('"').toString();
  }

  @Override
  public String toString() {
    return line.toString();
  }
}
