/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.catalogue.hbase;

import io.hudiskip.catalogue.CatalogueUnavailableException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Which HBases have not answered lately: for a while nobody in this JVM asks them again, so that
 * not each query waits for its deadline.
 */
final class Outages {
  /** Long beside a deadline, short beside the time in which somebody mends an HBase. */
  private static final long SECONDS = 30;

  private static final Map<String, Outage> BY_QUORUM = new ConcurrentHashMap<>();

  private Outages() {}

  /** Remembers that a quorum has just not answered. */
  static void begin(String quorum, String reason) {
    BY_QUORUM.put(quorum, new Outage(System.nanoTime(), reason));
  }

  /**
   * Passes unless a quorum has not answered within the last seconds.
   *
   * @throws CatalogueUnavailableException when it has not, with the reason of then
   */
  static void requireNone(String quorum) throws CatalogueUnavailableException {
    Outage outage = BY_QUORUM.get(quorum);
    if (outage == null) {
      return;
    }
    long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - outage.began);
    if (seconds < SECONDS) {
      throw new CatalogueUnavailableException(
          String.format("%d s ago: %s; asked again after %d s", seconds, outage.reason, SECONDS));
    }
    BY_QUORUM.remove(quorum, outage);
  }

  private static final class Outage {
    private final long began;
    private final String reason;

    Outage(long began, String reason) {
      this.began = began;
      this.reason = reason;
    }
  }
}
