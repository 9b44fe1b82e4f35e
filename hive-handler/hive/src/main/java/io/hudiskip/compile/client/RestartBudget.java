// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.client;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Limits starts of the compiler to one plus the allowed restarts in any ten minutes. The first
 * restart is immediate; the second waits until one second after the previous start, each further
 * one twice as long. Not thread-safe.
 */
final class RestartBudget {
  static final long WINDOW_NANOS = TimeUnit.MINUTES.toNanos(10);
  private static final long FIRST_WAIT_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final int MAX_DOUBLINGS = 10;

  private final int maxStarts;
  private final LongSupplier nanoClock;
  private final Deque<Long> starts = new ArrayDeque<>();

  RestartBudget(int maxRestarts, LongSupplier nanoClock) {
    this.maxStarts = maxRestarts + 1;
    this.nanoClock = nanoClock;
  }

  /** Nanoseconds until a start is allowed; 0 if it is allowed now. */
  long waitNanos() {
    long now = nanoClock.getAsLong();
    while (!starts.isEmpty() && now - starts.peekFirst() >= WINDOW_NANOS) {
      starts.removeFirst();
    }
    if (starts.size() >= maxStarts) {
      return WINDOW_NANOS - (now - starts.peekFirst());
    }
    if (starts.size() < 2) {
      return 0;
    }
    long wait = FIRST_WAIT_NANOS << Math.min(starts.size() - 2, MAX_DOUBLINGS);
    return Math.max(0, wait - (now - starts.peekLast()));
  }

  void started() {
    starts.addLast(nanoClock.getAsLong());
  }
}
