/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.compiler;

import io.hudiskip.compiler.CompilerUnavailableException.Reason;
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
 * Where our own compiler is to listen: a Unix domain socket in a temporary directory that only the
 * owner may enter, or a free port of the loopback interface where the JDK has no such sockets or
 * the path is too long for one.
 */
final class SocketDirectory implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SocketDirectory.class);

  /** Of {@code sockaddr_un.sun_path}, 104 bytes on macOS and 108 on Linux, with the final NUL. */
  private static final int MAX_PATH_BYTES = 100;

  private static final String SOCKET = "s";

  private final Path directory;

  private SocketDirectory(@Nullable Path directory) {
    this.directory = directory;
  }

  /** No directory: a free port of the loopback interface. */
  static SocketDirectory loopback() {
    return new SocketDirectory(null);
  }

  static SocketDirectory create() throws CompilerUnavailableException {
    if (!UnixSockets.get().isPresent()) {
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
          "no directory for the predicate compiler's socket can be made in "
              + System.getProperty("java.io.tmpdir"),
          e);
    }
  }

  /** Arguments of {@code hudi-skip compiler serve}. */
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
        LOG.debug("{} was not deleted", path, e);
      }
    }
  }
}
