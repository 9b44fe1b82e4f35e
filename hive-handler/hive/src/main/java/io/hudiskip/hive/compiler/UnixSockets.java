// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.compiler;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.ProtocolFamily;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Unix domain sockets, available since JDK 16; by reflection, since this code also runs on Java 8.
 */
final class UnixSockets {
  private static final Optional<UnixSockets> INSTANCE = find();

  private final ProtocolFamily family;
  private final Method open;
  private final Method address;

  private UnixSockets(ProtocolFamily family, Method open, Method address) {
    this.family = family;
    this.open = open;
    this.address = address;
  }

  private static Optional<UnixSockets> find() {
    try {
      return Optional.of(
          new UnixSockets(
              StandardProtocolFamily.valueOf("UNIX"),
              SocketChannel.class.getMethod("open", ProtocolFamily.class),
              Class.forName("java.net.UnixDomainSocketAddress").getMethod("of", Path.class)));
    } catch (ReflectiveOperationException | IllegalArgumentException e) {
      // Before JDK 16.
      return Optional.empty();
    }
  }

  /** Empty on a JDK without them. */
  static Optional<UnixSockets> get() {
    return INSTANCE;
  }

  SocketChannel open() throws IOException {
    return (SocketChannel) call(open, family);
  }

  SocketAddress address(Path path) throws IOException {
    return (SocketAddress) call(address, path);
  }

  private static Object call(Method method, Object argument) throws IOException {
    try {
      return method.invoke(null, argument);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof IOException) {
        throw (IOException) e.getCause();
      }
      throw new IOException("cannot use Unix domain sockets", e.getCause());
    } catch (IllegalAccessException e) {
      throw new IOException("cannot use Unix domain sockets", e);
    }
  }
}
