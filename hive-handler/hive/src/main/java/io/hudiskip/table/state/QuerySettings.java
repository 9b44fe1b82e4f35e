// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.table.state;

import io.hudiskip.table.HudiTable;
import io.hudiskip.table.UnreadableTableException;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hudi.hadoop.utils.HoodieHiveUtils;

/**
 * Hudi's session settings that choose a table's state: {@code hoodie.NAME.consume.*}, where NAME is
 * Hudi's name of the table, alone or qualified with its database. A blank value unsets.
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

  /** Whether a range of commits is requested. */
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
          String.format(
              "%s=%s is unknown: use SNAPSHOT or INCREMENTAL",
              key(HoodieHiveUtils.HOODIE_CONSUME_MODE_PATTERN), mode));
    }
    return true;
  }

  /** The commit whose state is requested; empty for none. */
  String commit() {
    return value(HoodieHiveUtils.HOODIE_CONSUME_COMMIT);
  }

  /** Start of the range. */
  String start() throws UnreadableTableException {
    String start = value(HoodieHiveUtils.HOODIE_START_COMMIT_PATTERN);
    if (start.isEmpty()) {
      throw new UnreadableTableException(
          "an incremental query needs a start instant: SET "
              + key(HoodieHiveUtils.HOODIE_START_COMMIT_PATTERN)
              + " to an instant of the timeline, or to 0 for the beginning of the table");
    }
    return start;
  }

  /** End of the range; empty for the last commit. */
  String end() {
    return value(END);
  }

  /** Maximum number of commits in the range; {@code Integer.MAX_VALUE} for all. */
  int maxCommits() throws UnreadableTableException {
    String most = value(HoodieHiveUtils.HOODIE_MAX_COMMIT_PATTERN);
    if (most.isEmpty()) {
      // Hudi's default, unless an end is given, a setting only this handler has.
      return end().isEmpty() ? HoodieHiveUtils.DEFAULT_MAX_COMMITS : Integer.MAX_VALUE;
    }
    try {
      int commits = Integer.parseInt(most);
      if (commits > 0 || commits == HoodieHiveUtils.MAX_COMMIT_ALL) {
        return commits < 0 ? Integer.MAX_VALUE : commits;
      }
    } catch (NumberFormatException ignored) {
      // Refused below, like a number out of bounds.
    }
    throw new UnreadableTableException(
        String.format(
            "%s=%s is unknown: use a number of commits, or -1 for all",
            key(HoodieHiveUtils.HOODIE_MAX_COMMIT_PATTERN), most));
  }

  /** Whether the range contains all commits. */
  boolean isWholeTable() throws UnreadableTableException {
    return isBeginning(start()) && end().isEmpty() && maxCommits() == Integer.MAX_VALUE;
  }

  static boolean isBeginning(String start) {
    return BEGINNING.matcher(start).matches();
  }

  /**
   * Whether start and end are completion times, both inclusive, as in Spark. Otherwise they are
   * requested times with an exclusive start, as in Hudi on Hive.
   */
  boolean isByCompletion() throws UnreadableTableException {
    String range = value(RANGE).toLowerCase(Locale.ROOT);
    if (range.isEmpty() || range.equals("requested")) {
      return false;
    }
    if (!range.equals("completion")) {
      throw new UnreadableTableException(
          key(RANGE) + "=" + range + " is unknown: use requested or completion");
    }
    return true;
  }

  /** The first non-blank value for any of the table's names. */
  private String value(String pattern) {
    return job.get(key(pattern), "").trim();
  }

  /** The setting with that value; by the table's plain name if there is none. */
  private String key(String pattern) {
    String key = "";
    for (String name : names) {
      key = String.format(pattern, name);
      if (!job.get(key, "").trim().isEmpty()) {
        return key;
      }
    }
    return key;
  }
}
