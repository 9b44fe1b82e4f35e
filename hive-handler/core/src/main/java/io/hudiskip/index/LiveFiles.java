// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.index;

import java.util.List;

/** A table's files after exactly the instants that an index has seen. Immutable. */
public final class LiveFiles {
  private final List<BaseFile> files;
  private final long bytes;
  private final SeenTimeline seen;

  /** Files are unique and kept, not copied; {@code bytes} is their total length. */
  public LiveFiles(List<BaseFile> files, long bytes, SeenTimeline seen) {
    this.files = files;
    this.bytes = bytes;
    this.seen = seen;
  }

  /** In any order; a partition's files need not be adjacent. */
  public List<BaseFile> files() {
    return files;
  }

  /** Total length in bytes. */
  public long bytes() {
    return bytes;
  }

  /** The instants after which these are the table's files. */
  public SeenTimeline seen() {
    return seen;
  }
}
