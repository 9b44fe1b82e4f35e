/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.mode;

import io.hudiskip.hive.table.HudiTable;
import io.hudiskip.hive.table.UnreadableTableException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hudi.hadoop.utils.HoodieHiveUtils;

/**
 * Hudi's settings of a session that choose the state of a table: {@code hoodie.NAME.consume.*},
 * where NAME is the name that Hudi knows the table by, alone or after its database. A blank value
 * asks for nothing: that is how a session takes a setting back.
 */
final class QuerySettings {
  private static final String END = "hoodie.%s.consume.end.timestamp";
  private static final String RANGE = "hoodie.%s.consume.range";

  private static final Pattern BEGINNING = Pattern.compile("0+|earliest");

  private final Configuration job;
  private final List<String> names;

  QuerySettings(Configuration job, HudiTable table) {
    this.job = job;
    this.names = table.names();
  }

  /**
   * Whether the rows of a range of commits are asked for.
   *
   * @throws UnreadableTableException when it is a mode that cannot be read
   */
  boolean isIncremental() throws UnreadableTableException {
    String pending = value(HoodieHiveUtils.HOODIE_CONSUME_PENDING_COMMITS);
    if (!pending.isEmpty() && !pending.equalsIgnoreCase("false")) {
      throw new UnreadableTableException(
          "uncommitted rows of this table cannot be read: SET "
              + key(HoodieHiveUtils.HOODIE_CONSUME_PENDING_COMMITS)
              + "=false");
    }
    String mode = value(HoodieHiveUtils.HOODIE_CONSUME_MODE_PATTERN);
    if (mode.isEmpty() || mode.equalsIgnoreCase(HoodieHiveUtils.SNAPSHOT_SCAN_MODE)) {
      return false;
    }
    if (!mode.equalsIgnoreCase(HoodieHiveUtils.INCREMENTAL_SCAN_MODE)) {
      throw new UnreadableTableException(
          key(HoodieHiveUtils.HOODIE_CONSUME_MODE_PATTERN)
              + "="
              + mode
              + " is unknown: it has to be SNAPSHOT or INCREMENTAL");
    }
    return true;
  }

  /** The commit whose state is asked for; empty for none. */
  String commit() {
    return value(HoodieHiveUtils.HOODIE_CONSUME_COMMIT);
  }

  /**
   * Where a range of commits starts.
   *
   * @throws UnreadableTableException when it is not said
   */
  String start() throws UnreadableTableException {
    String start = value(HoodieHiveUtils.HOODIE_START_COMMIT_PATTERN);
    if (start.isEmpty()) {
      throw new UnreadableTableException(
          "an incremental query has to say after which instant it starts: SET "
              + key(HoodieHiveUtils.HOODIE_START_COMMIT_PATTERN)
              + " to one of the timeline, or to 0 for the beginning of the table");
    }
    return start;
  }

  /** Where a range of commits ends; empty for the last commit. */
  String end() {
    return value(END);
  }

  /**
   * How many commits a range has at most; {@code Integer.MAX_VALUE} for all.
   *
   * @throws UnreadableTableException when it is no number
   */
  int maxCommits() throws UnreadableTableException {
    String most = value(HoodieHiveUtils.HOODIE_MAX_COMMIT_PATTERN);
    if (most.isEmpty()) {
      // Hudi's default, where no end is given, which only this handler knows.
      return end().isEmpty() ? HoodieHiveUtils.DEFAULT_MAX_COMMITS : Integer.MAX_VALUE;
    }
    try {
      int commits = Integer.parseInt(most);
      if (commits > 0 || commits == HoodieHiveUtils.MAX_COMMIT_ALL) {
        return commits < 0 ? Integer.MAX_VALUE : commits;
      }
    } catch (NumberFormatException e) {
      throw unknownMaximum(most, e);
    }
    throw unknownMaximum(most, null);
  }

  private UnreadableTableException unknownMaximum(String value, Exception cause) {
    return new UnreadableTableException(
        key(HoodieHiveUtils.HOODIE_MAX_COMMIT_PATTERN)
            + "="
            + value
            + " is unknown: it has to be a number of commits, or -1 for all",
        cause);
  }

  /**
   * Whether the range is all commits there are.
   *
   * @throws UnreadableTableException when a setting is unknown or missing
   */
  boolean isWholeTable() throws UnreadableTableException {
    return isBeginning(start()) && end().isEmpty() && maxCommits() == Integer.MAX_VALUE;
  }

  /** Whether a start is before all commits. */
  static boolean isBeginning(String start) {
    return BEGINNING.matcher(start).matches();
  }

  /**
   * Whether start and end are times of completion, both inclusive, as in Spark; else the times at
   * which commits were requested, the start exclusive, as Hudi has it on Hive.
   */
  boolean isByCompletion() throws UnreadableTableException {
    String range = value(RANGE).toLowerCase(Locale.ROOT);
    if (range.isEmpty() || range.equals("requested")) {
      return false;
    }
    if (!range.equals("completion")) {
      throw new UnreadableTableException(
          key(RANGE) + "=" + range + " is unknown: it has to be requested or completion");
    }
    return true;
  }

  /** The first value that is not blank, of the table's names. */
  private String value(String pattern) {
    for (String name : names) {
      String value = job.get(String.format(pattern, name), "").trim();
      if (!value.isEmpty()) {
        return value;
      }
    }
    return "";
  }

  private String key(String pattern) {
    List<String> set = new ArrayList<>();
    for (String name : names) {
      String key = String.format(pattern, name);
      if (!job.get(key, "").trim().isEmpty()) {
        set.add(key);
      }
    }
    return set.isEmpty() ? String.format(pattern, names.get(names.size() - 1)) : set.get(0);
  }
}
