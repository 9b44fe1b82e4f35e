/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.compiler;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/**
 * One connection that carries frames: a 4-byte big-endian length, then that many bytes.
 *
 * <p>The socket does not block, so that a deadline ends connecting, writing and reading alike, also
 * when the other side sends a byte now and then. After any exception the connection is of no more
 * use and has to be closed. Not thread-safe.
 */
final class CompilerConnection implements Closeable {
  private final CompilerAddress address;
  private final SocketChannel channel;
  private final Selector selector;
  private final SelectionKey key;
  private boolean used;
  private boolean answering;

  private CompilerConnection(
      CompilerAddress address, SocketChannel channel, Selector selector, SelectionKey key) {
    this.address = address;
    this.channel = channel;
    this.selector = selector;
    this.key = key;
  }

  /**
   * Connects.
   *
   * @throws SocketTimeoutException when the deadline has passed
   * @throws ClosedByInterruptException when the thread was interrupted; it still is
   */
  static CompilerConnection open(CompilerAddress address, Deadline deadline) throws IOException {
    SocketChannel channel = address.open();
    Selector selector = null;
    try {
      channel.configureBlocking(false);
      selector = Selector.open();
      SelectionKey key = channel.register(selector, 0);
      CompilerConnection connection = new CompilerConnection(address, channel, selector, key);
      if (!channel.connect(address.socketAddress())) {
        do {
          connection.await(SelectionKey.OP_CONNECT, deadline);
        } while (!channel.finishConnect());
      }
      return connection;
    } catch (IOException | RuntimeException e) {
      close(channel, selector, e);
      throw e;
    }
  }

  CompilerAddress address() {
    return address;
  }

  /** Whether an exchange was made on it before the current one. */
  boolean isUsed() {
    return used;
  }

  /** Whether any byte of the current answer has come. */
  boolean isAnswering() {
    return answering;
  }

  /** Whether the other side has kept it open and silent since the last exchange. */
  boolean isReusable() {
    try {
      // 0: nothing has come. An end of stream, or bytes that nobody asked for, make it useless.
      return channel.read(ByteBuffer.allocate(1)) == 0;
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Sends a frame and receives one.
   *
   * @param limit largest frame to accept, in bytes
   * @throws SocketTimeoutException when the deadline has passed
   * @throws EOFException when the other side has closed the connection
   * @throws FrameTooLargeException when the frame's length is above the limit, or negative
   * @throws ClosedByInterruptException when the thread was interrupted; it still is
   */
  byte[] exchange(byte[] request, int limit, Deadline deadline) throws IOException {
    answering = false;
    ByteBuffer out = ByteBuffer.allocate(Integer.BYTES + request.length);
    out.putInt(request.length).put(request).flip();
    while (out.hasRemaining()) {
      if (channel.write(out) == 0) {
        await(SelectionKey.OP_WRITE, deadline);
      }
    }
    ByteBuffer header = ByteBuffer.allocate(Integer.BYTES);
    fill(header, deadline);
    int length = header.getInt(0);
    if (length < 0 || length > limit) {
      throw new FrameTooLargeException(length, limit);
    }
    ByteBuffer answer = ByteBuffer.allocate(length);
    fill(answer, deadline);
    used = true;
    return answer.array();
  }

  private void fill(ByteBuffer buffer, Deadline deadline) throws IOException {
    while (buffer.hasRemaining()) {
      int read = channel.read(buffer);
      if (read < 0) {
        throw new EOFException("the connection was closed");
      }
      answering |= read > 0;
      if (read == 0) {
        await(SelectionKey.OP_READ, deadline);
      } else if (deadline.hasPassed()) {
        throw new SocketTimeoutException("the deadline has passed");
      }
    }
  }

  private void await(int operation, Deadline deadline) throws IOException {
    key.interestOps(operation);
    while (true) {
      if (Thread.currentThread().isInterrupted()) {
        throw new ClosedByInterruptException();
      }
      long millis = deadline.remainingMillis();
      if (millis == 0) {
        throw new SocketTimeoutException("the deadline has passed");
      }
      selector.selectedKeys().clear();
      if (selector.select(millis) > 0) {
        return;
      }
    }
  }

  @Override
  public void close() throws IOException {
    try {
      channel.close();
    } finally {
      selector.close();
    }
  }

  private static void close(SocketChannel channel, Selector selector, Exception cause) {
    try {
      channel.close();
      if (selector != null) {
        selector.close();
      }
    } catch (IOException e) {
      cause.addSuppressed(e);
    }
  }
}
