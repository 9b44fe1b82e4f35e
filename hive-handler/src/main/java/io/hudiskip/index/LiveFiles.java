/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.index;

import java.util.List;

/** The files that a table had after exactly the instants that an index has seen. Immutable. */
public final class LiveFiles {
  private final List<BaseFile> files;
  private final long bytes;
  private final SeenTimeline seen;

  /**
   * @param files each once; kept, not copied
   * @param bytes of all of them
   * @param seen the instants
   */
  public LiveFiles(List<BaseFile> files, long bytes, SeenTimeline seen) {
    this.files = files;
    this.bytes = bytes;
    this.seen = seen;
  }

  /** The files; those of a partition need not follow each other. */
  public List<BaseFile> files() {
    return files;
  }

  /** Length of all of them in bytes. */
  public long bytes() {
    return bytes;
  }

  /** After which instants they are the table's. */
  public SeenTimeline seen() {
    return seen;
  }
}
