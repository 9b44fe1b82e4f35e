/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.compiler;

import io.hudiskip.SkippingConf;
import io.hudiskip.compiler.CompilerUnavailableException.Reason;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import javax.annotation.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A compiler that runs as a child process of this JVM: started on first use, and again, within a
 * {@link RestartBudget}, when it has died or three calls in a row have failed.
 */
final class ChildEndpoint implements CompilerEndpoint {
  private static final Logger LOG = LoggerFactory.getLogger(ChildEndpoint.class);
  private static final int TOLERATED_FAILURES = 3;

  private final SkippingConf conf;
  private final RestartBudget budget;

  /** Held while the compiler is started, by one query for all. */
  private final ReentrantLock starting = new ReentrantLock();

  private volatile CompilerProcess process;
  private volatile boolean closed;
  private String lastFailure = "";
  private int failures;

  ChildEndpoint(SkippingConf conf, LongSupplier nanoClock) {
    this.conf = conf;
    this.budget = new RestartBudget(conf.compilerMaxRestarts(), nanoClock);
  }

  @Override
  public CompilerAddress address() throws CompilerUnavailableException {
    CompilerProcess running = process;
    if (running != null && running.isAlive()) {
      return running.address();
    }
    boolean locked;
    try {
      locked = starting.tryLock(conf.compilerStartTimeoutMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CompilerUnavailableException(
          Reason.INTERRUPTED, "interrupted while the predicate compiler was starting", e);
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
      throw new CompilerUnavailableException(
          Reason.CLOSED, "the predicate compiler's client was closed");
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
              "the predicate compiler is started again in %d s, as it failed before: %s",
              TimeUnit.NANOSECONDS.toSeconds(wait) + 1, lastFailure));
    }
    budget.started();
    try {
      CompilerProcess started = CompilerProcess.start(conf);
      process = started;
      if (closed) {
        // close() has run meanwhile and may not have seen it.
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

  /** The process that was started last; null before the first. */
  @Nullable
  CompilerProcess running() {
    return process;
  }

  @Override
  public synchronized void answered(CompilerAddress address) {
    failures = 0;
  }

  @Override
  public synchronized void failed(CompilerAddress address) {
    CompilerProcess running = process;
    if (running == null || !running.address().equals(address)) {
      return;
    }
    if (++failures >= TOLERATED_FAILURES) {
      failures = 0;
      LOG.warn("The predicate compiler is ended: {} calls in a row failed", TOLERATED_FAILURES);
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
