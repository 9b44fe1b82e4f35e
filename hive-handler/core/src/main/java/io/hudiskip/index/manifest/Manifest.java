// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.index.manifest;

import io.hudiskip.index.LiveTotals;
import io.hudiskip.index.SeenTimeline;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** One generation of the index: its data files and the table state it covers. */
public final class Manifest {
  private final long generation;
  private final String instant;
  private final LiveTotals live;
  private final List<DataFileEntry> dataFiles;
  private final Optional<SeenTimeline> seen;

  Manifest(
      long generation,
      String instant,
      LiveTotals live,
      List<DataFileEntry> dataFiles,
      Optional<SeenTimeline> seen) {
    this.generation = generation;
    this.instant = instant;
    this.live = live;
    this.dataFiles = Collections.unmodifiableList(dataFiles);
    this.seen = seen;
  }

  /** Later generations have greater numbers. */
  public long generation() {
    return generation;
  }

  /** The last completed instant that the index has seen. */
  public String instant() {
    return instant;
  }

  /** Totals of the base files at {@link #instant}. */
  public LiveTotals live() {
    return live;
  }

  /** The instants after which the index has the table's files; empty if unknown. */
  public Optional<SeenTimeline> seen() {
    return seen;
  }

  /** In replacement order: the last row for a file wins. */
  public List<DataFileEntry> dataFiles() {
    return dataFiles;
  }

  /**
   * The data files, skipping each that, judging by checksums, covers the same base files as its
   * predecessor: the parts of a large build.
   */
  public List<DataFileEntry> withDistinctFiles() {
    List<DataFileEntry> others = new ArrayList<>();
    for (DataFileEntry dataFile : dataFiles) {
      if (others.isEmpty() || !dataFile.coversSameFiles(others.get(others.size() - 1))) {
        others.add(dataFile);
      }
    }
    return others;
  }
}
