// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.callback;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.UUID;

/** The log that all runs for a table append to. */
final class UpdateLog {
  /** A larger log is renamed, which replaces the previous one. */
  private static final long MAX_BYTES = 1 << 20;

  private UpdateLog() {}

  /**
   * The log's path, in a directory that is created if necessary.
   *
   * @throws IOException when the directory cannot be created, or belongs to another user
   */
  static Path of(Path directory, String table) throws IOException {
    FileAttribute<?> ownerOnly =
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    Files.createDirectories(directory, ownerOnly);
    requireOwned(directory);
    Path log = directory.resolve(name(table) + ".log");
    if (Files.exists(log) && Files.size(log) > MAX_BYTES) {
      Files.move(
          log, directory.resolve(name(table) + ".old.log"), StandardCopyOption.REPLACE_EXISTING);
    }
    return log;
  }

  /** The directory's owner could replace its files by links to this user's files. */
  private static void requireOwned(Path directory) throws IOException {
    String user = System.getProperty("user.name");
    String owner = Files.getOwner(directory).getName();
    if (!owner.equals(user)) {
      throw new IOException(
          String.format(
              "the log directory %s belongs to %s, not to %s: set %s to another directory",
              directory, owner, user, UpdateSettings.LOG_DIRECTORY));
    }
  }

  /** The last part of the path, for readability, and a hash of the whole. */
  private static String name(String table) {
    String last = table.substring(table.lastIndexOf('/') + 1).replaceAll("[^A-Za-z0-9_.-]", "_");
    return last + "-" + UUID.nameUUIDFromBytes(table.getBytes(StandardCharsets.UTF_8));
  }
}
