// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.table.commits;

import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hudi.common.table.HoodieTableMetaClient;
import org.apache.hudi.common.table.timeline.HoodieInstant;

/** Texts of Hudi's instants: {@code yyyyMMddHHmmss}, usually with {@code SSS}. */
public final class Instants {
  private static final Pattern INSTANT = Pattern.compile("[0-9]{14}([0-9]{3})?");
  private static final int SECONDS_LENGTH = 14;
  private static final DateTimeFormatter SECONDS = DateTimeFormatter.ofPattern("uuuuMMddHHmmss");

  private Instants() {}

  public static boolean isInstant(String text) {
    return INSTANT.matcher(text).matches();
  }

  /** The last instant that a text stands for: one to the second means all of its milliseconds. */
  public static String padded(String instant) {
    return instant.length() == SECONDS_LENGTH ? instant + "999" : instant;
  }

  /** The instant some days later or earlier; empty if it is not a time, such as a bootstrap's. */
  public static Optional<String> shifted(String instant, int days) {
    try {
      LocalDateTime time =
          LocalDateTime.parse(instant.substring(0, SECONDS_LENGTH), SECONDS).plusDays(days);
      return Optional.of(SECONDS.format(time) + padded(instant).substring(SECONDS_LENGTH));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  public static String later(String one, String other) {
    return one.compareTo(other) >= 0 ? one : other;
  }

  /**
   * Requested times of the commits that savepoints keep. Archiving proceeds from the oldest commit
   * and may skip these.
   */
  public static Set<String> saved(HoodieTableMetaClient table) {
    return table
        .getActiveTimeline()
        .getSavePointTimeline()
        .getInstantsAsStream()
        .map(HoodieInstant::requestedTime)
        .collect(Collectors.toSet());
  }
}
