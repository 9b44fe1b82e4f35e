// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.table.catalogue;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;

/** The partitions of a catalogue's generation that a plan selects. Immutable. */
public final class FoundPartitions {
  private final CatalogueGeneration generation;
  private final Set<String> paths;

  public FoundPartitions(CatalogueGeneration generation, Set<String> paths) {
    this.generation = generation;
    this.paths = Collections.unmodifiableSet(new LinkedHashSet<>(paths));
  }

  public CatalogueGeneration generation() {
    return generation;
  }

  /** Paths relative to the table; the empty path for an unpartitioned table. */
  public Set<String> paths() {
    return paths;
  }
}
