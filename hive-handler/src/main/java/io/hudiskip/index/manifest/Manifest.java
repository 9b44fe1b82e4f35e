/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.index.manifest;

import io.hudiskip.index.LiveTotals;
import io.hudiskip.index.SeenTimeline;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** One generation of the index: the data files that make it up, and what it knows of the table. */
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

  /** Its number: the greater, the later. */
  public long generation() {
    return generation;
  }

  /** The last completed instant that the index has seen. */
  public String instant() {
    return instant;
  }

  /** The base files at {@link #instant}, counted. */
  public LiveTotals live() {
    return live;
  }

  /** After which instants the index has the table's files; empty if that is not known. */
  public Optional<SeenTimeline> seen() {
    return seen;
  }

  /** In the order in which their rows replace each other: the last one wins. */
  public List<DataFileEntry> dataFiles() {
    return dataFiles;
  }

  /**
   * The data files but those that, as far as checksums tell, have rows for the same base files as
   * the one before: the parts of a big build.
   */
  public List<DataFileEntry> withOtherFiles() {
    List<DataFileEntry> others = new ArrayList<>();
    for (DataFileEntry dataFile : dataFiles) {
      if (others.isEmpty() || !dataFile.hasFilesOf(others.get(others.size() - 1))) {
        others.add(dataFile);
      }
    }
    return others;
  }
}
