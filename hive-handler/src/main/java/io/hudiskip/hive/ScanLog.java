/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive;

import java.util.List;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hive.conf.HiveConf;
import org.apache.hadoop.mapred.JobConf;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one line that is logged for every scan: {@code key=value} pairs, values with blanks in double
 * quotes, in which a double quote and a backslash have a backslash before them.
 */
final class ScanLog {
  private static final Logger LOG = LoggerFactory.getLogger("io.hudiskip.scan");

  private final StringBuilder line = new StringBuilder("hudi-skip scan");

  private ScanLog() {}

  /**
   * Logs a scan in which files were selected.
   *
   * @param kept the files that are read
   * @param millis time of listing and selection
   */
  static void selected(
      JobConf job,
      Path table,
      List<FileStatus> listing,
      List<FileStatus> kept,
      FileSelection selection,
      long millis) {
    if (LOG.isInfoEnabled()) {
      LOG.info(selectedLine(job, table, listing, kept, selection, millis));
    }
  }

  /** Logs a scan that reads every file, and why. */
  static void keptAll(
      JobConf job, Path table, List<FileStatus> listing, String reason, long millis) {
    if (LOG.isInfoEnabled()) {
      LOG.info(keptAllLine(job, table, listing, reason, millis));
    }
  }

  static String selectedLine(
      JobConf job,
      Path table,
      List<FileStatus> listing,
      List<FileStatus> kept,
      FileSelection selection,
      long millis) {
    return start(job, table, listing, kept)
        .add("generation", selection.generation())
        .add("instant", selection.instant())
        .add("source", selection.source())
        .add("ms", millis)
        .add("expression", selection.expression())
        .toString();
  }

  static String keptAllLine(
      JobConf job, Path table, List<FileStatus> listing, String reason, long millis) {
    return start(job, table, listing, listing)
        .add("source", "none")
        .add("ms", millis)
        .add("reason", reason)
        .toString();
  }

  private static ScanLog start(
      JobConf job, Path table, List<FileStatus> listing, List<FileStatus> kept) {
    return new ScanLog()
        .add("query", HiveConf.getVar(job, HiveConf.ConfVars.HIVE_QUERY_ID))
        .add("tag", HiveConf.getVar(job, HiveConf.ConfVars.HIVE_QUERY_TAG))
        .add("table", table.toUri().getPath())
        .add("files", listing.size())
        .add("kept", kept.size())
        .add("bytes", bytes(listing))
        .add("kept_bytes", bytes(kept));
  }

  private static long bytes(List<FileStatus> files) {
    return files.stream().mapToLong(FileStatus::getLen).sum();
  }

  private ScanLog add(String key, Object value) {
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
        quoted.append(Character.isISOControl(c) ? ' ' : c); // one line for one scan
      }
    }
    return quoted.append('"').toString();
  }

  @Override
  public String toString() {
    return line.toString();
  }
}
