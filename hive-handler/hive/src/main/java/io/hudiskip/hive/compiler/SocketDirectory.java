// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.compiler;

import io.hudiskip.hive.compiler.CompilerUnavailableException.Reason;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import javax.annotation.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where our own compiler listens: a Unix domain socket in a temporary directory that only the owner
 * may enter, or a free loopback port where the JDK lacks such sockets or the path is too long.
 */
final class SocketDirectory implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SocketDirectory.class);

  /**
   * {@code sockaddr_un.sun_path} has 104 bytes on macOS and 108 on Linux, including the final NUL.
   */
  private static final int MAX_PATH_BYTES = 100;

  private static final String SOCKET = "s";

  private final Path directory;

  private SocketDirectory(@Nullable Path directory) {
    this.directory = directory;
  }

  /** Listens on a free loopback port, without a directory. */
  static SocketDirectory loopback() {
    return new SocketDirectory(null);
  }

  static SocketDirectory create() throws CompilerUnavailableException {
    if (!UnixSockets.areAvailable()) {
      return loopback();
    }
    try {
      SocketDirectory created =
          new SocketDirectory(
              Files.createTempDirectory(
                  "hudi-skip-",
                  PosixFilePermissions.asFileAttribute(
                      PosixFilePermissions.fromString("rwx------"))));
      if (created.socket().toString().getBytes(StandardCharsets.UTF_8).length <= MAX_PATH_BYTES) {
        return created;
      }
      created.close();
      return loopback();
    } catch (IOException | UnsupportedOperationException e) {
      throw new CompilerUnavailableException(
          Reason.START_FAILED,
          "cannot create a directory for the predicate compiler's socket in "
              + System.getProperty("java.io.tmpdir"),
          e);
    }
  }

  List<String> arguments() {
    return directory == null
        ? Arrays.asList("--port", "0")
        : Arrays.asList("--socket", socket().toString());
  }

  private Path socket() {
    return directory.resolve(SOCKET);
  }

  @Override
  public void close() {
    if (directory == null) {
      return;
    }
    for (Path path : Arrays.asList(socket(), directory)) {
      try {
        Files.deleteIfExists(path);
      } catch (IOException e) {
        LOG.debug("Cannot delete {}", path, e);
      }
    }
  }
}
