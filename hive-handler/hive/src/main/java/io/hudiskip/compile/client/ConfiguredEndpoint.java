// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.client;

import io.hudiskip.compile.client.CompilerUnavailableException.Reason;
import java.util.concurrent.TimeUnit;

/**
 * A compiler that someone else runs. After three failures in a row it is not called for a second,
 * then twice as long each time up to a minute, so that queries do not each wait for a deadline.
 */
final class ConfiguredEndpoint implements CompilerEndpoint {
  private static final int TOLERATED_FAILURES = 3;
  private static final long FIRST_WAIT_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long LONGEST_WAIT_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final int MAX_DOUBLINGS = 6;

  private final CompilerAddress address;
  private int failures;
  private long lastFailure;

  ConfiguredEndpoint(CompilerAddress address) {
    this.address = address;
  }

  @Override
  public synchronized CompilerAddress address() throws CompilerUnavailableException {
    if (failures >= TOLERATED_FAILURES) {
      int doublings = Math.min(failures - TOLERATED_FAILURES, MAX_DOUBLINGS);
      long wait = Math.min(FIRST_WAIT_NANOS << doublings, LONGEST_WAIT_NANOS);
      long left = wait - (System.nanoTime() - lastFailure);
      if (left > 0) {
        throw new CompilerUnavailableException(
            Reason.BACKING_OFF,
            String.format(
                "the predicate compiler at %s failed %d times in a row; next attempt in %d s",
                address, failures, TimeUnit.NANOSECONDS.toSeconds(left) + 1));
      }
    }
    return address;
  }

  @Override
  public synchronized void answered() {
    failures = 0;
  }

  @Override
  public synchronized void failed(CompilerAddress at) {
    failures++;
    lastFailure = System.nanoTime();
  }
}
