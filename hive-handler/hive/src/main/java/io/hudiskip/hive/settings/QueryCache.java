// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.settings;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;

/** What HiveServer2 remembers of a query from its compilation to its jobs. */
public final class QueryCache {
  private QueryCache() {}

  /**
   * A cache whose keys have a query's id, for 1,000 entries and ten minutes: Hive does not say when
   * a query has ended.
   */
  public static <K, V> Cache<K, V> create() {
    return Caffeine.newBuilder()
        .maximumSize(1_000)
        .expireAfterWrite(Duration.ofMinutes(10))
        .executor(Runnable::run)
        .build();
  }
}
