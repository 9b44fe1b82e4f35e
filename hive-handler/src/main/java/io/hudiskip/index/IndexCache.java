/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.index;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.hudiskip.SkippingConf;
import java.util.Objects;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/**
 * What has been read and checked of indexes, bounded in bytes. Entries belong to the content of one
 * manifest, so that they never go stale; those of older generations are pushed out by use.
 */
final class IndexCache {

  /** Objects of a parsed manifest, per byte of its text. */
  private static final int MANIFEST_EXPANSION = 3;

  private static IndexCache shared;

  private final Cache<Key, Weighed> entries;

  IndexCache(long maximumBytes) {
    entries =
        Caffeine.newBuilder()
            .maximumWeight(maximumBytes)
            .weigher((Key key, Weighed value) -> value.weight)
            // On the caller's thread: no pool whose threads outlive a reloaded jar.
            .executor(Runnable::run)
            .build();
  }

  /** The cache of this JVM; its size is that of the first configuration it is asked with. */
  static synchronized IndexCache shared(Configuration configuration) {
    if (shared == null) {
      shared = new IndexCache(SkippingConf.of(configuration).indexCacheBytes());
    }
    return shared;
  }

  Optional<Manifest> manifest(Path tableRoot, String digest) {
    return get(new Key(tableRoot, digest, Key.NO_COLUMN), Manifest.class);
  }

  void putManifest(Path tableRoot, Manifest manifest, int bytes) {
    entries.put(
        new Key(tableRoot, manifest.digest(), Key.NO_COLUMN),
        new Weighed(manifest, (long) MANIFEST_EXPANSION * bytes));
  }

  Optional<ColumnStatistics> column(Path tableRoot, Manifest manifest, String column) {
    return get(new Key(tableRoot, manifest.digest(), column), ColumnStatistics.class);
  }

  void putColumn(Path tableRoot, Manifest manifest, String column, ColumnStatistics statistics) {
    entries.put(
        new Key(tableRoot, manifest.digest(), column),
        new Weighed(statistics, statistics.weight()));
  }

  private <T> Optional<T> get(Key key, Class<T> type) {
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

  private static final class Key {
    /** In place of a column name, which is never empty: the manifest itself. */
    static final String NO_COLUMN = "";

    final Path tableRoot;
    final String digest;
    final String column;

    Key(Path tableRoot, String digest, String column) {
      this.tableRoot = tableRoot;
      this.digest = digest;
      this.column = column;
    }

    @Override
    public boolean equals(Object other) {
      if (!(other instanceof Key)) {
        return false;
      }
      Key key = (Key) other;
      return tableRoot.equals(key.tableRoot)
          && digest.equals(key.digest)
          && column.equals(key.column);
    }

    @Override
    public int hashCode() {
      return Objects.hash(tableRoot, digest, column);
    }
  }
}
