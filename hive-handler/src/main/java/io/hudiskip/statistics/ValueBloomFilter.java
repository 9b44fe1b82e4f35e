/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.statistics;

import java.util.Optional;
import org.apache.datasketches.filters.bloomfilter.BloomFilter;
import org.apache.datasketches.memory.Memory;

/**
 * A bloom filter of the encoded values that are neither NULL nor NaN of one column in one file: the
 * serialized form of Apache DataSketches' {@code BloomFilter}, from which it is read in place.
 * Immutable.
 */
public final class ValueBloomFilter implements Content {
  private final BloomFilter filter;

  private ValueBloomFilter(BloomFilter filter) {
    this.filter = filter;
  }

  /**
   * Reads a filter.
   *
   * @param bytes the serialized form; kept, not copied
   * @return empty when it can't be read, by this build or in this JVM: it says nothing
   */
  public static Optional<ValueBloomFilter> of(byte[] bytes) {
    try {
      return Optional.of(new ValueBloomFilter(BloomFilter.wrap(Memory.wrap(bytes))));
    } catch (RuntimeException | LinkageError e) {
      // The library's memory classes refuse, in a static initializer, Java versions that they do
      // not know.
      return Optional.empty();
    }
  }

  @Override
  public boolean mayContain(byte[] encoded) {
    try {
      return filter.query(encoded);
    } catch (RuntimeException e) {
      // Bytes that are no filter may show so only when they are asked.
      return true;
    }
  }
}
