// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.statistics;

import java.util.Optional;
import org.apache.datasketches.filters.bloomfilter.BloomFilter;
import org.apache.datasketches.memory.Memory;

/**
 * A Bloom filter of one column's encoded values in one file, NULL and NaN excluded: Apache
 * DataSketches' serialized {@code BloomFilter}, read in place. Immutable.
 */
public final class ValueBloomFilter implements Content {
  private final BloomFilter filter;

  private ValueBloomFilter(BloomFilter filter) {
    this.filter = filter;
  }

  /**
   * Reads a serialized filter.
   *
   * @param bytes kept, not copied
   * @return empty when this build or JVM cannot read it
   */
  public static Optional<Content> of(byte[] bytes) {
    try {
      return Optional.of(new ValueBloomFilter(BloomFilter.wrap(Memory.wrap(bytes))));
    } catch (RuntimeException | LinkageError e) {
      // The library's static initializers reject Java versions that they do not know.
      return Optional.empty();
    }
  }

  @Override
  public boolean mayContain(byte[] encoded) {
    try {
      return filter.query(encoded);
    } catch (RuntimeException e) {
      // Damaged bytes may only surface on a query.
      return true;
    }
  }
}
