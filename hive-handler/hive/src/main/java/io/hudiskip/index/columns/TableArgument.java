// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.index.columns;

import org.apache.hadoop.fs.Path;

/** A table as the commands of {@code hudi-skip} take it. */
public final class TableArgument {
  private TableArgument() {}

  /** The local path of a table's root, or else its URI. */
  public static String of(Path root) {
    String scheme = root.toUri().getScheme();
    return scheme == null || scheme.equals("file") ? root.toUri().getPath() : root.toString();
  }
}
