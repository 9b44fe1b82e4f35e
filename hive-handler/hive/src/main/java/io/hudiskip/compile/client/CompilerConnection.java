// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.client;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.net.ProtocolException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection that carries frames: a 4-byte big-endian length, then that many bytes.
 *
 * <p>The socket is non-blocking, so a deadline bounds connecting, writing and reading, even if the
 * other side trickles bytes. Not thread-safe.
 */
final class CompilerConnection implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(CompilerConnection.class);

  private final SocketChannel channel;
  private Selector selector;
  private SelectionKey key;

  private CompilerConnection(SocketChannel channel) {
    this.channel = channel;
  }

  /** Throws as {@link #exchange} does. */
  static CompilerConnection open(CompilerAddress address, Deadline deadline) throws IOException {
    CompilerConnection connection = new CompilerConnection(address.open());
    try {
      connection.connect(address, deadline);
      return connection;
    } catch (IOException | RuntimeException e) {
      connection.close();
      throw e;
    }
  }

  private void connect(CompilerAddress address, Deadline deadline) throws IOException {
    channel.configureBlocking(false);
    selector = Selector.open();
    key = channel.register(selector, 0);
    if (!channel.connect(address.socketAddress())) {
      do {
        await(SelectionKey.OP_CONNECT, deadline);
      } while (!channel.finishConnect());
    }
  }

  /**
   * Sends a frame and receives one.
   *
   * @param limit largest frame to accept, in bytes
   * @throws SocketTimeoutException when the deadline has passed
   * @throws EOFException when the other side has closed the connection
   * @throws ProtocolException when the frame's length exceeds the limit or is negative
   * @throws ClosedByInterruptException when the thread was interrupted; it still is
   */
  byte[] exchange(byte[] request, int limit, Deadline deadline) throws IOException {
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
      throw new ProtocolException(
          String.format(
              "a frame of %s bytes exceeds the limit of %d",
              Integer.toUnsignedString(length), limit));
    }
    ByteBuffer answer = ByteBuffer.allocate(length);
    fill(answer, deadline);
    return answer.array();
  }

  private void fill(ByteBuffer buffer, Deadline deadline) throws IOException {
    while (buffer.hasRemaining()) {
      int read = channel.read(buffer);
      if (read < 0) {
        throw new EOFException("the connection was closed");
      }
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
  public void close() {
    try {
      channel.close();
      if (selector != null) {
        selector.close();
      }
    } catch (IOException e) {
      LOG.debug("Cannot close a connection to the predicate compiler", e);
    }
  }
}
