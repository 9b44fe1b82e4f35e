// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.plan;

import java.util.Optional;
import javax.annotation.Nullable;

/** A range of keys, without the table's prefix, and a condition on them. Immutable. */
public final class ScanRange {
  private final byte[] start;
  @Nullable private final byte[] stop;
  @Nullable private final PartitionFilter filter;

  public ScanRange(byte[] start, @Nullable byte[] stop, @Nullable PartitionFilter filter) {
    this.start = start;
    this.stop = stop;
    this.filter = filter;
  }

  /** Inclusive; empty for the table's first key. */
  public byte[] start() {
    return start.clone();
  }

  /** Exclusive; empty if the range extends to the table's last key. */
  public Optional<byte[]> stop() {
    return Optional.ofNullable(stop).map(byte[]::clone);
  }

  /** A further condition on the range's partitions; empty if all are selected. */
  public Optional<PartitionFilter> filter() {
    return Optional.ofNullable(filter);
  }

  boolean isWholeTable() {
    return start.length == 0 && stop == null && filter == null;
  }
}
