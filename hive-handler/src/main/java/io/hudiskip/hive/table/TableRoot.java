/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.table;

import java.io.IOException;
import java.util.Optional;
import javax.annotation.Nullable;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hudi.common.table.HoodieTableMetaClient;

/** Where a base file is in its table. */
public final class TableRoot {
  private TableRoot() {}

  /**
   * The root directory of the table that a file is in.
   *
   * @throws UnreadableTableException when it is in none
   */
  public static Path of(FileSystem fileSystem, Path file)
      throws IOException, UnreadableTableException {
    return containing(fileSystem, file.getParent())
        .orElseThrow(() -> new UnreadableTableException(file + " is in no Hudi table"));
  }

  /** The root of the Hudi table that a directory is or is in; empty if there is none. */
  public static Optional<Path> containing(FileSystem fileSystem, @Nullable Path directory)
      throws IOException {
    for (Path folder = directory; folder != null; folder = folder.getParent()) {
      if (fileSystem.exists(new Path(folder, HoodieTableMetaClient.METAFOLDER_NAME))) {
        return Optional.of(folder);
      }
    }
    return Optional.empty();
  }

  /** The path relative to the table's root, null if it is not under it. */
  @Nullable
  public static String relativePath(Path root, Path file) {
    String prefix = root.toUri().getPath() + "/";
    String path = file.toUri().getPath();
    return path.startsWith(prefix) ? path.substring(prefix.length()) : null;
  }
}
