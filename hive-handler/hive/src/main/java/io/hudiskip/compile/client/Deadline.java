// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.client;

import java.util.concurrent.TimeUnit;

/** The point in time by which a call must end. */
final class Deadline {
  private final long end;

  private Deadline(long end) {
    this.end = end;
  }

  static Deadline in(long millis) {
    return new Deadline(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis));
  }

  /** Remaining milliseconds, rounded up; 0 once it has passed. */
  long remainingMillis() {
    long nanos = end - System.nanoTime();
    return nanos <= 0 ? 0 : TimeUnit.NANOSECONDS.toMillis(nanos) + 1;
  }

  boolean hasPassed() {
    return remainingMillis() == 0;
  }
}
