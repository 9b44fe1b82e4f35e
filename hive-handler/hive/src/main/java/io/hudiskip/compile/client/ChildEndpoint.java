// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.client;

import io.hudiskip.compile.client.CompilerUnavailableException.Reason;
import io.hudiskip.hive.settings.SkippingConf;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import javax.annotation.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A compiler that runs as a child process of this JVM. It is started on first use, and restarted
 * within a {@link RestartBudget} when it dies or three calls in a row fail.
 */
final class ChildEndpoint implements CompilerEndpoint {
  private static final Logger LOG = LoggerFactory.getLogger(ChildEndpoint.class);
  private static final int TOLERATED_FAILURES = 3;
  private static final int START_TIMEOUT_MILLIS = 20_000;

  /** In the time that {@link RestartBudget} looks back. */
  private static final int MAX_RESTARTS = 3;

  private final SkippingConf conf;
  private final int startTimeoutMillis;
  private final RestartBudget budget;

  /** Held while one query starts the compiler for all. */
  private final ReentrantLock starting = new ReentrantLock();

  private volatile CompilerProcess process;
  private volatile boolean closed;
  private String lastFailure = "";
  private int failures;

  ChildEndpoint(SkippingConf conf) {
    this(conf, START_TIMEOUT_MILLIS, MAX_RESTARTS);
  }

  /** With limits of its own, for tests. */
  ChildEndpoint(SkippingConf conf, int startTimeoutMillis, int maxRestarts) {
    this.conf = conf;
    this.startTimeoutMillis = startTimeoutMillis;
    this.budget = new RestartBudget(maxRestarts, System::nanoTime);
  }

  @Override
  public CompilerAddress address() throws CompilerUnavailableException {
    CompilerProcess running = process;
    if (running != null && running.isAlive()) {
      return running.address();
    }
    boolean locked;
    try {
      locked = starting.tryLock(startTimeoutMillis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      throw CompilerUnavailableException.interrupted(e);
    }
    if (!locked) {
      throw new CompilerUnavailableException(
          Reason.START_FAILED, "the predicate compiler is still being started for another query");
    }
    try {
      return started().address();
    } finally {
      starting.unlock();
    }
  }

  private CompilerProcess started() throws CompilerUnavailableException {
    if (closed) {
      throw CompilerUnavailableException.closed();
    }
    CompilerProcess previous = process;
    if (previous != null) {
      if (previous.isAlive()) {
        return previous;
      }
      lastFailure = previous.end();
      LOG.warn("{}", lastFailure);
      previous.close();
      process = null;
    }
    long wait = budget.waitNanos();
    if (wait > 0) {
      throw new CompilerUnavailableException(
          Reason.BACKING_OFF,
          String.format(
              "the predicate compiler failed and will be restarted in %d s: %s",
              TimeUnit.NANOSECONDS.toSeconds(wait) + 1, lastFailure));
    }
    budget.started();
    try {
      CompilerProcess started =
          CompilerProcess.start(conf, startTimeoutMillis, ProcessDirectory.create());
      process = started;
      if (closed) {
        // close() may have run meanwhile without seeing this process.
        started.close();
      }
      synchronized (this) {
        failures = 0;
      }
      LOG.info("The predicate compiler listens at {}", started.address());
      return started;
    } catch (CompilerUnavailableException e) {
      lastFailure = e.getMessage();
      throw e;
    }
  }

  /** The latest process; null before the first start. */
  @Nullable
  CompilerProcess running() {
    return process;
  }

  @Override
  public synchronized void answered() {
    failures = 0;
  }

  @Override
  public synchronized void failed(CompilerAddress address) {
    CompilerProcess running = process;
    if (running == null || running.address() != address) {
      return;
    }
    if (++failures >= TOLERATED_FAILURES) {
      failures = 0;
      LOG.warn("Killing the predicate compiler: {} calls in a row failed", TOLERATED_FAILURES);
      running.kill();
    }
  }

  @Override
  public void close() {
    closed = true;
    CompilerProcess running = process;
    if (running != null) {
      running.close();
    }
  }
}
