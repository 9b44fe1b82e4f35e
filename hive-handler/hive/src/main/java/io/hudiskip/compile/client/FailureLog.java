// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.client;

import io.hudiskip.compile.client.CompilerUnavailableException.Reason;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;

/** Logs each kind of failure once in ten minutes rather than once per query. Thread-safe. */
final class FailureLog {
  static final long INTERVAL_NANOS = TimeUnit.MINUTES.toNanos(10);

  private final Logger log;
  private final LongSupplier nanoClock;
  private final Map<Reason, Long> lastLogged = new EnumMap<>(Reason.class);
  private final Map<Reason, Integer> suppressed = new EnumMap<>(Reason.class);

  FailureLog(Logger log, LongSupplier nanoClock) {
    this.log = log;
    this.nanoClock = nanoClock;
  }

  void add(CompilerUnavailableException failure) {
    int before;
    synchronized (this) {
      long now = nanoClock.getAsLong();
      Long last = lastLogged.get(failure.reason());
      if (last != null && now - last < INTERVAL_NANOS) {
        suppressed.merge(failure.reason(), 1, Integer::sum);
        log.debug("No predicate was compiled", failure);
        return;
      }
      lastLogged.put(failure.reason(), now);
      before = suppressed.getOrDefault(failure.reason(), 0);
      suppressed.remove(failure.reason());
    }
    log.warn(
        "No files are skipped: {}{}",
        failure.getMessage(),
        before == 0 ? "" : " (" + before + " more such failures since the last warning)",
        failure);
  }
}
