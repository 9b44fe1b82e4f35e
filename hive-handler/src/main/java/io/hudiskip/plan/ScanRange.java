/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.plan;

import java.util.Optional;
import javax.annotation.Nullable;

/** A range of keys, without what names the table, and what is asked of those in it. Immutable. */
public final class ScanRange {
  private final byte[] start;
  @Nullable private final byte[] stop;
  @Nullable private final PartitionFilter filter;

  ScanRange(byte[] start, @Nullable byte[] stop, @Nullable PartitionFilter filter) {
    this.start = start;
    this.stop = stop;
    this.filter = filter;
  }

  /** The first key that may be in the range; empty for the table's first. */
  public byte[] start() {
    return start.clone();
  }

  /** The first key behind the range; empty if all keys of the table from the start on are in it. */
  public Optional<byte[]> stop() {
    return Optional.ofNullable(stop).map(byte[]::clone);
  }

  /** What a partition in the range must meet as well; empty if all of them are wanted. */
  public Optional<PartitionFilter> filter() {
    return Optional.ofNullable(filter);
  }

  /** Whether every partition of the table is wanted. */
  boolean isWholeTable() {
    return start.length == 0 && stop == null && filter == null;
  }
}
