// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.table.state;

import io.hudiskip.table.UnreadableTableException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Objects;
import java.util.Optional;
import javax.annotation.Nullable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.common.type.TimestampTZUtil;
import org.apache.hadoop.hive.conf.HiveConf;
import org.apache.hadoop.hive.conf.HiveConf.ConfVars;
import org.apache.hadoop.hive.ql.metadata.Table;
import org.apache.hadoop.hive.ql.plan.PlanUtils;
import org.apache.hudi.common.model.HoodieTimelineTimeZone;
import org.apache.hudi.common.table.HoodieTableConfig;
import org.apache.hudi.common.table.HoodieTableMetaClient;
import org.apache.hudi.common.table.timeline.HoodieTimeline;
import org.apache.hudi.common.table.timeline.TimelineUtils;
import org.apache.hudi.exception.HoodieException;

/**
 * The past state requested by {@code FOR SYSTEM_TIME AS OF} or {@code FOR SYSTEM_VERSION AS OF}.
 * Immutable.
 */
public final class AsOf {
  /** Hudi's instants, to the millisecond ({@code HoodieInstantTimeGenerator}). */
  private static final DateTimeFormatter INSTANT = DateTimeFormatter.ofPattern("yyyyMMddHHmmssSSS");

  private final String timestamp;
  private final String version;

  private AsOf(String timestamp, String version) {
    this.timestamp = timestamp;
    this.version = version;
  }

  /**
   * From Hive's plan of a scan; empty when the statement requests no past state.
   *
   * @param timestamp milliseconds since 1970-01-01 00:00:00 UTC, or null
   * @param version a Hudi instant, or null
   */
  public static Optional<AsOf> of(@Nullable String timestamp, @Nullable String version) {
    String time = timestamp == null ? "" : timestamp.trim();
    String instant = version == null ? "" : version.trim();
    return time.isEmpty() && instant.isEmpty()
        ? Optional.empty()
        : Optional.of(new AsOf(time, instant));
  }

  /**
   * A statement's time, in the form that Hive passes to a reader.
   *
   * @param literal in the session's zone, or null
   */
  @Nullable
  public static String millis(Configuration session, @Nullable String literal) {
    if (literal == null) {
      return null;
    }
    ZoneId zone =
        TimestampTZUtil.parseTimeZone(HiveConf.getVar(session, ConfVars.HIVE_LOCAL_TIME_ZONE));
    return Long.toString(
        TimestampTZUtil.parse(PlanUtils.stripQuotes(literal), zone).toEpochMilli());
  }

  /** Whether a statement requests the current state of a table, and no metadata of it. */
  public static boolean isCurrent(Table table) {
    return table.getAsOfTimestamp() == null
        && table.getAsOfVersion() == null
        && table.getVersionIntervalFrom() == null
        && table.getSnapshotRef() == null
        && table.getMetaTable() == null;
  }

  static AsOf commit(String instant) {
    return new AsOf("", instant);
  }

  /** The requested time of the last commit to read. */
  String instant(HoodieTableMetaClient table) throws UnreadableTableException {
    String instant = version.isEmpty() ? atTime(table.getTableConfig()) : version;
    CommitSelector.requireInstant(instant, "the version to read");
    if (!version.isEmpty()) {
      requireCompleted(table, instant);
    }
    requireRetained(table, instant);
    return instant;
  }

  private static void requireCompleted(HoodieTableMetaClient table, String instant)
      throws UnreadableTableException {
    HoodieTimeline commits = table.getCommitsTimeline().filterCompletedInstants();
    if (!commits.containsInstant(instant)) {
      String known =
          commits.empty()
              ? ", which has none"
              : String.format(
                  ", whose timeline goes from %s to %s",
                  commits.firstInstant().get().requestedTime(),
                  commits.lastInstant().get().requestedTime());
      throw new UnreadableTableException(
          String.format(
              "%s is not a completed commit of %s%s. Specify one of its commits, or a time"
                  + " with FOR SYSTEM_TIME AS OF",
              instant, table.getBasePath(), known));
    }
  }

  private static void requireRetained(HoodieTableMetaClient table, String instant)
      throws UnreadableTableException {
    try {
      TimelineUtils.validateTimestampAsOf(table, instant);
    } catch (HoodieException | IllegalArgumentException e) {
      throw new UnreadableTableException(
          String.format(
              "the state of %s as of %s cannot be read: %s",
              table.getBasePath(), instant, e.getMessage()),
          e);
    }
  }

  private String atTime(HoodieTableConfig config) {
    ZoneId zone =
        config.getTimelineTimezone() == HoodieTimelineTimeZone.UTC
            ? ZoneOffset.UTC
            : ZoneId.systemDefault();
    return INSTANT.format(Instant.ofEpochMilli(Long.parseLong(timestamp)).atZone(zone));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof AsOf
        && timestamp.equals(((AsOf) other).timestamp)
        && version.equals(((AsOf) other).version);
  }

  @Override
  public int hashCode() {
    return Objects.hash(timestamp, version);
  }
}
