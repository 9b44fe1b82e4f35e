/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.callback;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.UUID;

/** The log that the runs for one table append to. */
final class UpdateLog {
  /** A log that has grown beyond it is put aside, in place of the one before. */
  private static final long MAX_BYTES = 1 << 20;

  private UpdateLog() {}

  /**
   * The log's path, in a directory that is made if it is not there.
   *
   * @throws IOException when the directory cannot be made, or belongs to somebody else
   */
  static Path of(Path directory, String table) throws IOException {
    FileAttribute<?> ownerOnly =
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    Files.createDirectories(directory, ownerOnly);
    requireOurs(directory);
    Path log = directory.resolve(name(table) + ".log");
    if (Files.exists(log) && Files.size(log) > MAX_BYTES) {
      Files.move(
          log, directory.resolve(name(table) + ".old.log"), StandardCopyOption.REPLACE_EXISTING);
    }
    return log;
  }

  /** Whoever owns a directory could make its files links to ours. */
  private static void requireOurs(Path directory) throws IOException {
    String user = System.getProperty("user.name");
    String owner = Files.getOwner(directory).getName();
    if (!owner.equals(user)) {
      throw new IOException(
          String.format(
              "the log directory %s belongs to %s, not to %s: set %s to another",
              directory, owner, user, UpdateSettings.LOG_DIRECTORY));
    }
  }

  /** The last part of the path for people, and a hash of all of it. */
  private static String name(String table) {
    String last = table.substring(table.lastIndexOf('/') + 1).replaceAll("[^A-Za-z0-9_.-]", "_");
    return last + "-" + UUID.nameUUIDFromBytes(table.getBytes(StandardCharsets.UTF_8));
  }
}
