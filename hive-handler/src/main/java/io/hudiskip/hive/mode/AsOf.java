/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.mode;

import io.hudiskip.hive.table.UnreadableTableException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Objects;
import java.util.Optional;
import javax.annotation.Nullable;
import org.apache.hudi.common.model.HoodieTimelineTimeZone;
import org.apache.hudi.common.table.HoodieTableConfig;
import org.apache.hudi.common.table.HoodieTableMetaClient;

/**
 * The past state that a statement asks for by {@code FOR SYSTEM_TIME AS OF} or {@code FOR
 * SYSTEM_VERSION AS OF}. Immutable.
 */
public final class AsOf {
  /** Of instants, to the millisecond ({@code HoodieInstantTimeGenerator}). */
  private static final DateTimeFormatter INSTANT = DateTimeFormatter.ofPattern("yyyyMMddHHmmssSSS");

  private final String timestamp;
  private final String version;

  private AsOf(String timestamp, String version) {
    this.timestamp = timestamp;
    this.version = version;
  }

  /**
   * What Hive has in its plan of a scan; empty when the statement asks for no past state.
   *
   * @param timestamp milliseconds since 1970-01-01 00:00:00 UTC, null for none
   * @param version an instant of Hudi, null for none
   */
  public static Optional<AsOf> of(@Nullable String timestamp, @Nullable String version) {
    String time = timestamp == null ? "" : timestamp.trim();
    String instant = version == null ? "" : version.trim();
    return time.isEmpty() && instant.isEmpty()
        ? Optional.empty()
        : Optional.of(new AsOf(time, instant));
  }

  /** The state of a commit. */
  static AsOf commit(String instant) {
    return new AsOf("", instant);
  }

  /**
   * The instant up to which commits count.
   *
   * @throws UnreadableTableException when it is no instant of the table, or its state is gone
   */
  String instant(HoodieTableMetaClient table) throws UnreadableTableException {
    String instant = version.isEmpty() ? atTime(table.getTableConfig()) : version;
    CommitRange.requireInstant(instant, "the version to read");
    if (!version.isEmpty()) {
      CommitRange.requireCompleted(table, instant);
    }
    CommitRange.requireRetained(table, instant);
    return instant;
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
