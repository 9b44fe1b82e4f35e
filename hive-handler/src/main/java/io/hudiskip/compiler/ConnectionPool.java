/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.compiler;

import java.io.Closeable;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Connections to a compiler: a bounded number at once, the idle ones kept. Thread-safe. */
final class ConnectionPool implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(ConnectionPool.class);

  private final int size;
  private final Semaphore permits;
  private final Deque<CompilerConnection> idle = new ArrayDeque<>();
  private boolean closed;

  ConnectionPool(int size) {
    this.size = size;
    this.permits = new Semaphore(size, true);
  }

  /**
   * A connection of the caller's own, to be handed to {@link #give} or {@link #discard}.
   *
   * @throws SocketTimeoutException when the deadline passed before one was free or connected
   */
  CompilerConnection take(CompilerAddress address, Deadline deadline)
      throws IOException, InterruptedException {
    if (!permits.tryAcquire(deadline.remainingMillis(), TimeUnit.MILLISECONDS)) {
      throw new SocketTimeoutException("all " + size + " connections are in use");
    }
    boolean taken = false;
    try {
      CompilerConnection connection = idle(address);
      if (connection == null) {
        connection = CompilerConnection.open(address, deadline);
      }
      taken = true;
      return connection;
    } finally {
      if (!taken) {
        permits.release();
      }
    }
  }

  private CompilerConnection idle(CompilerAddress address) {
    while (true) {
      CompilerConnection connection;
      synchronized (this) {
        connection = idle.pollFirst();
      }
      if (connection == null) {
        return null;
      }
      if (connection.address().equals(address) && connection.isReusable()) {
        return connection;
      }
      closeQuietly(connection);
    }
  }

  /** Takes back a connection on which every exchange was completed. */
  void give(CompilerConnection connection) {
    boolean kept;
    synchronized (this) {
      kept = !closed;
      if (kept) {
        idle.addFirst(connection);
      }
    }
    if (!kept) {
      closeQuietly(connection);
    }
    permits.release();
  }

  /** Takes back a connection that failed. */
  void discard(CompilerConnection connection) {
    closeQuietly(connection);
    permits.release();
  }

  /** Closes the idle connections; those in use are closed when they come back. */
  @Override
  public void close() {
    Deque<CompilerConnection> closing;
    synchronized (this) {
      closed = true;
      closing = new ArrayDeque<>(idle);
      idle.clear();
    }
    closing.forEach(ConnectionPool::closeQuietly);
  }

  private static void closeQuietly(CompilerConnection connection) {
    try {
      connection.close();
    } catch (IOException e) {
      LOG.debug("A connection to {} did not close", connection.address(), e);
    }
  }
}
