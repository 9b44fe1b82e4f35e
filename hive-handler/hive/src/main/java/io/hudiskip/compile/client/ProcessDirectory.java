// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.client;

import io.hudiskip.compile.client.CompilerUnavailableException.Reason;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of one compiler process, in a new temporary directory that only the owner may enter: so
 * nobody else can replace what is run, even where all users share {@code /tmp}, and several servers
 * do not collide. Holds the Unix domain socket, unless the JDK lacks such sockets or the path is
 * too long; then the compiler listens on a free loopback port.
 */
final class ProcessDirectory implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ProcessDirectory.class);

  /**
   * {@code sockaddr_un.sun_path} has 104 bytes on macOS and 108 on Linux, including the final NUL.
   */
  private static final int MAX_PATH_BYTES = 100;

  private static final String SOCKET = "s";

  private final Path directory;
  private final boolean hasSocket;

  private ProcessDirectory(Path directory, boolean hasSocket) {
    this.directory = directory;
    this.hasSocket = hasSocket;
  }

  static ProcessDirectory create() throws CompilerUnavailableException {
    Path directory = newDirectory();
    int pathBytes = directory.resolve(SOCKET).toString().getBytes(StandardCharsets.UTF_8).length;
    return new ProcessDirectory(
        directory, UnixSockets.areAvailable() && pathBytes <= MAX_PATH_BYTES);
  }

  /** For a compiler on a free loopback port. */
  static ProcessDirectory withoutSocket() throws CompilerUnavailableException {
    return new ProcessDirectory(newDirectory(), false);
  }

  private static Path newDirectory() throws CompilerUnavailableException {
    try {
      return Files.createTempDirectory(
          "hudi-skip-",
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    } catch (IOException | UnsupportedOperationException e) {
      throw new CompilerUnavailableException(
          Reason.START_FAILED,
          "cannot create a directory for the predicate compiler in "
              + System.getProperty("java.io.tmpdir"),
          e);
    }
  }

  /** A file of this name. */
  Path file(String name) {
    return directory.resolve(name);
  }

  /** The compiler's options that say where it listens. */
  List<String> arguments() {
    return hasSocket
        ? Arrays.asList("--socket", file(SOCKET).toString())
        : Arrays.asList("--port", "0");
  }

  @Override
  public void close() {
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.collect(Collectors.toList())) {
        Files.deleteIfExists(file);
      }
      Files.deleteIfExists(directory);
    } catch (IOException e) {
      LOG.debug("Cannot delete {}", directory, e);
    }
  }
}
