/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.compiler;

import io.hudiskip.compiler.CompilerUnavailableException.Reason;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;

/** Says each kind of failure once in ten minutes, not once a query. Thread-safe. */
final class FailureLog {
  static final long INTERVAL_NANOS = TimeUnit.MINUTES.toNanos(10);

  private final Logger log;
  private final LongSupplier nanoClock;
  private final Map<Reason, Long> lastSaid = new EnumMap<>(Reason.class);
  private final Map<Reason, Integer> unsaid = new EnumMap<>(Reason.class);

  FailureLog(Logger log, LongSupplier nanoClock) {
    this.log = log;
    this.nanoClock = nanoClock;
  }

  void add(CompilerUnavailableException failure) {
    int before;
    synchronized (this) {
      long now = nanoClock.getAsLong();
      Long last = lastSaid.get(failure.reason());
      if (last != null && now - last < INTERVAL_NANOS) {
        unsaid.merge(failure.reason(), 1, Integer::sum);
        log.debug("No predicate was compiled", failure);
        return;
      }
      lastSaid.put(failure.reason(), now);
      Integer count = unsaid.remove(failure.reason());
      before = count == null ? 0 : count;
    }
    log.warn(
        "No files are skipped: {}{}",
        failure.getMessage(),
        before == 0 ? "" : " (" + before + " more such failures since this was last said)",
        failure);
  }
}
