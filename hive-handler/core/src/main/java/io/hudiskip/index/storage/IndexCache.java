// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.index.storage;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.hudiskip.index.files.FileTable;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.Path;

/**
 * Checked contents of indexes, bounded in bytes. Entries belong to immutable index files, so they
 * never go stale and serve every generation that lists the file; unused ones are evicted.
 */
final class IndexCache {

  private static final int MAX_TABLES = 1_000;

  private static IndexCache shared;

  private final Cache<List<Object>, Weighed> entries;

  /** The latest file tables, by root of the Hudi table. */
  private final Cache<Path, FileTable> lastFiles =
      Caffeine.newBuilder().weakValues().maximumSize(MAX_TABLES).executor(Runnable::run).build();

  IndexCache(long maximumBytes) {
    entries =
        Caffeine.newBuilder()
            .maximumWeight(maximumBytes)
            .weigher((List<Object> key, Weighed value) -> value.weight)
            // On the caller's thread: a pool's threads would outlive a reloaded jar.
            .executor(Runnable::run)
            .build();
  }

  /** The cache of this JVM; the first call decides its size. */
  static synchronized IndexCache shared(long maximumBytes) {
    if (shared == null) {
      shared = new IndexCache(maximumBytes);
    }
    return shared;
  }

  /** {@code files}, or the previous equal table of this root: parts of a large build share one. */
  FileTable shared(Path tableRoot, FileTable files) {
    FileTable before = lastFiles.getIfPresent(tableRoot);
    FileTable kept = before != null && files.sameAs(before) ? before : files;
    lastFiles.put(tableRoot, kept);
    return kept;
  }

  /** Caches what a key identifies; {@code weight} is its approximate memory in bytes. */
  void put(List<Object> key, Object value, long weight) {
    entries.put(key, new Weighed(value, weight));
  }

  /** The value of a key, which is of that type; empty if not cached. */
  <T> Optional<T> get(List<Object> key, Class<T> type) {
    Weighed found = entries.getIfPresent(key);
    return found == null ? Optional.empty() : Optional.of(type.cast(found.value));
  }

  private static final class Weighed {
    final Object value;
    final int weight;

    Weighed(Object value, long weight) {
      this.value = value;
      this.weight = (int) Math.min(Integer.MAX_VALUE, weight);
    }
  }
}
