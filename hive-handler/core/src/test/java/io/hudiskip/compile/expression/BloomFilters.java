// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.expression;

import io.hudiskip.compile.statistics.Content;
import io.hudiskip.compile.statistics.ValueBloomFilter;
import java.util.Collection;
import org.apache.datasketches.filters.bloomfilter.BloomFilter;
import org.apache.datasketches.filters.bloomfilter.BloomFilterBuilder;

/** Makes Bloom filters with the library that readers of all languages are held to. */
public final class BloomFilters {

  private BloomFilters() {}

  /** The serialized filter of some values. */
  public static byte[] bytes(Collection<byte[]> values, double falsePositives) {
    BloomFilter filter =
        BloomFilterBuilder.createByAccuracy(Math.max(1, values.size()), falsePositives, 9001);
    values.forEach(filter::update);
    return filter.toByteArray();
  }

  static Content of(Collection<byte[]> values) {
    return ValueBloomFilter.of(bytes(values, 0.01)).get();
  }
}
