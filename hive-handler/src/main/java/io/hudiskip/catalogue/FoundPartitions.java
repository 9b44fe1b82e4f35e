/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.catalogue;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;

/** The partitions that a plan leaves of a generation of a catalogue. Immutable. */
public final class FoundPartitions {
  private final CatalogueGeneration generation;
  private final Set<String> paths;

  /**
   * @param paths relative to the table
   */
  public FoundPartitions(CatalogueGeneration generation, Set<String> paths) {
    this.generation = generation;
    this.paths = Collections.unmodifiableSet(new LinkedHashSet<>(paths));
  }

  /** Of which state of the table they are. */
  public CatalogueGeneration generation() {
    return generation;
  }

  /** Their paths relative to the table; the empty one for a table without partitions. */
  public Set<String> paths() {
    return paths;
  }
}
