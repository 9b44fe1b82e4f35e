// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.client;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.ProtocolFamily;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Unix domain sockets, available since JDK 16; by reflection, since this code also runs on Java 8.
 */
final class UnixSockets {
  private UnixSockets() {}

  static boolean areAvailable() {
    return Arrays.stream(StandardProtocolFamily.values())
        .anyMatch(family -> family.name().equals("UNIX"));
  }

  static SocketChannel open() throws IOException {
    if (!areAvailable()) {
      throw new IOException("Unix domain sockets need JDK 16 or newer; use host:port");
    }
    return (SocketChannel)
        call(
            "java.nio.channels.SocketChannel",
            "open",
            ProtocolFamily.class,
            StandardProtocolFamily.valueOf("UNIX"));
  }

  static SocketAddress address(Path path) throws IOException {
    return (SocketAddress) call("java.net.UnixDomainSocketAddress", "of", Path.class, path);
  }

  private static Object call(String type, String method, Class<?> parameter, Object argument)
      throws IOException {
    try {
      return Class.forName(type).getMethod(method, parameter).invoke(null, argument);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof IOException) {
        throw (IOException) e.getCause();
      }
      throw new IOException("cannot use Unix domain sockets", e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new IOException("cannot use Unix domain sockets", e);
    }
  }
}
