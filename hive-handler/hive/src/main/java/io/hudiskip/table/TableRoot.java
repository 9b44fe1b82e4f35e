// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.table;

import java.io.IOException;
import java.util.Optional;
import javax.annotation.Nullable;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hudi.common.table.HoodieTableMetaClient;

/** Locates tables and the files in them. */
public final class TableRoot {
  private TableRoot() {}

  /**
   * The root directory of the table that contains a file.
   *
   * @throws UnreadableTableException when there is none
   */
  public static Path of(FileSystem fileSystem, Path file)
      throws IOException, UnreadableTableException {
    return containing(fileSystem, file.getParent())
        .orElseThrow(() -> new UnreadableTableException(file + " is not in a Hudi table"));
  }

  /** The root of the Hudi table at or above a directory; empty if there is none. */
  public static Optional<Path> containing(FileSystem fileSystem, @Nullable Path directory)
      throws IOException {
    for (Path folder = directory; folder != null; folder = folder.getParent()) {
      if (fileSystem.exists(new Path(folder, HoodieTableMetaClient.METAFOLDER_NAME))) {
        return Optional.of(folder);
      }
    }
    return Optional.empty();
  }

  /** The path relative to the table's root; null if it is not below. */
  @Nullable
  public static String relativePath(Path root, Path file) {
    String prefix = root.toUri().getPath() + "/";
    String path = file.toUri().getPath();
    return path.startsWith(prefix) ? path.substring(prefix.length()) : null;
  }
}
