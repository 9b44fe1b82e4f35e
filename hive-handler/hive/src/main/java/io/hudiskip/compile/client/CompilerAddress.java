// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.client;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.Paths;
import javax.annotation.Nullable;

/** Where a compiler listens: {@code unix:/path} or {@code host:port}. */
final class CompilerAddress {
  private static final String UNIX = "unix:";

  private final String text;
  private final Path path;
  private final String host;
  private final int port;

  private CompilerAddress(String text, @Nullable Path path, @Nullable String host, int port) {
    this.text = text;
    this.path = path;
    this.host = host;
    this.port = port;
  }

  /**
   * Parses an address; {@code host} may be an IPv6 address in brackets.
   *
   * @throws IllegalArgumentException if it has neither form; the message is for display
   */
  static CompilerAddress parse(String text) {
    IllegalArgumentException cause = null;
    try {
      if (text.startsWith(UNIX)) {
        Path path = Paths.get(text.substring(UNIX.length()));
        if (path.isAbsolute()) {
          return new CompilerAddress(text, path, null, 0);
        }
      } else {
        int colon = text.lastIndexOf(':');
        int port = Integer.parseInt(text.substring(colon + 1));
        if (colon > 0 && port > 0 && port < 1 << 16) {
          String host = text.substring(0, colon);
          boolean isBracketed = host.startsWith("[") && host.endsWith("]");
          return new CompilerAddress(
              text, null, isBracketed ? host.substring(1, host.length() - 1) : host, port);
        }
      }
    } catch (InvalidPathException | NumberFormatException e) {
      cause = e;
    }
    throw new IllegalArgumentException(
        "'" + text + "' is not an address; expected unix:/path or host:port", cause);
  }

  SocketChannel open() throws IOException {
    return path == null ? SocketChannel.open() : UnixSockets.open();
  }

  SocketAddress socketAddress() throws IOException {
    if (path != null) {
      return UnixSockets.address(path);
    }
    InetSocketAddress address = new InetSocketAddress(host, port);
    if (address.isUnresolved()) {
      throw new IOException("unknown host " + host);
    }
    return address;
  }

  @Override
  public String toString() {
    return text;
  }
}
