// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.index.storage;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.hudiskip.index.files.FileTable;
import io.hudiskip.index.files.LiveFileList;
import io.hudiskip.index.manifest.DataFileEntry;
import io.hudiskip.index.manifest.Manifest;
import io.hudiskip.index.manifest.RowGroupEntry;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.Path;

/**
 * Checked contents of indexes, bounded in bytes. Entries belong to immutable index files, so they
 * never go stale and serve every generation that lists the file; unused ones are evicted.
 */
final class IndexCache {

  /** Bytes of a parsed manifest per byte of text. */
  private static final int MANIFEST_EXPANSION = 3;

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

  Optional<Manifest> manifest(Path tableRoot, String digest) {
    return get(Arrays.asList(tableRoot, digest), Manifest.class);
  }

  void putManifest(Path tableRoot, Manifest manifest, String digest, int bytes) {
    put(Arrays.asList(tableRoot, digest), manifest, (long) MANIFEST_EXPANSION * bytes);
  }

  Optional<FileTable> fileTable(Path tableRoot, DataFileEntry dataFile) {
    return get(Arrays.asList(tableRoot, dataFile.identity()), FileTable.class);
  }

  /**
   * Caches the files of a data file.
   *
   * @return {@code files}, or the previous data file's equal table: the parts of a large build
   *     share one
   */
  FileTable putFileTable(Path tableRoot, DataFileEntry dataFile, FileTable files) {
    FileTable before = lastFiles.getIfPresent(tableRoot);
    FileTable kept = before != null && files.sameAs(before) ? before : files;
    lastFiles.put(tableRoot, kept);
    put(Arrays.asList(tableRoot, dataFile.identity()), kept, kept.weight());
    return kept;
  }

  /** The live files of all data files together; empty if not cached. */
  Optional<LiveFileList> liveFiles(Path tableRoot, List<DataFileEntry> dataFiles) {
    return get(liveKey(tableRoot, dataFiles), LiveFileList.class);
  }

  void putLiveFiles(Path tableRoot, List<DataFileEntry> dataFiles, LiveFileList files) {
    put(liveKey(tableRoot, dataFiles), files, files.weight());
  }

  private static List<Object> liveKey(Path tableRoot, List<DataFileEntry> dataFiles) {
    String identity =
        dataFiles.stream().map(DataFileEntry::identity).collect(Collectors.joining("\n"));
    return Arrays.asList(tableRoot, "live", identity);
  }

  /** The rows of a column in a row group; empty if not cached. */
  Optional<ColumnPart> part(
      Path tableRoot, DataFileEntry dataFile, RowGroupEntry group, String column) {
    return get(partKey(tableRoot, dataFile, group, column), ColumnPart.class);
  }

  void putPart(
      Path tableRoot, DataFileEntry dataFile, RowGroupEntry group, String column, ColumnPart part) {
    put(partKey(tableRoot, dataFile, group, column), part, part.weight());
  }

  private static List<Object> partKey(
      Path tableRoot, DataFileEntry dataFile, RowGroupEntry group, String column) {
    return Arrays.asList(tableRoot, dataFile.identity(), group.section().offset(), column);
  }

  private void put(List<Object> key, Object value, long weight) {
    entries.put(key, new Weighed(value, weight));
  }

  private <T> Optional<T> get(List<Object> key, Class<T> type) {
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
