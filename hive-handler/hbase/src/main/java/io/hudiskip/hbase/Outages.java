// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hbase;

import io.hudiskip.table.catalogue.CatalogueUnavailableException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * HBase quorums that recently failed to answer. They are not contacted for a while in this JVM, so
 * that queries do not each wait for a deadline.
 */
final class Outages {
  /** Long compared to a deadline, short compared to a repair. */
  private static final long SECONDS = 30;

  private static final Map<String, Outage> BY_QUORUM = new ConcurrentHashMap<>();

  private Outages() {}

  static void record(String quorum, String reason) {
    BY_QUORUM.put(quorum, new Outage(System.nanoTime(), reason));
  }

  /**
   * Passes unless a quorum failed to answer recently.
   *
   * @throws CatalogueUnavailableException when it did, with the reason
   */
  static void checkAvailable(String quorum) throws CatalogueUnavailableException {
    Outage outage = BY_QUORUM.get(quorum);
    if (outage == null) {
      return;
    }
    long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - outage.began);
    if (seconds < SECONDS) {
      throw new CatalogueUnavailableException(
          String.format(
              "failed %d s ago (%s); will be tried again after %d s",
              seconds, outage.reason, SECONDS));
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
