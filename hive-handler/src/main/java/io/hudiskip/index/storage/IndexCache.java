/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.index.storage;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.hudiskip.SkippingConf;
import io.hudiskip.index.files.FileTable;
import io.hudiskip.index.files.LiveFileList;
import io.hudiskip.index.manifest.DataFileEntry;
import io.hudiskip.index.manifest.Manifest;
import io.hudiskip.index.manifest.RowGroupEntry;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/**
 * What has been read and checked of indexes, bounded in bytes. Entries belong to one file of an
 * index, which never changes, so that they never go stale and serve every generation that lists the
 * file; those that none lists any more are pushed out by use.
 */
final class IndexCache {

  /** Objects of a parsed manifest, per byte of its text. */
  private static final int MANIFEST_EXPANSION = 3;

  private static final int MOST_TABLES = 1_000;

  private static IndexCache shared;

  private final Cache<Key, Weighed> entries;

  /** Those that were read last, by the root of the Hudi table. */
  private final Cache<Path, FileTable> lastFiles =
      Caffeine.newBuilder().weakValues().maximumSize(MOST_TABLES).executor(Runnable::run).build();

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
    return get(new Key(tableRoot, digest, Key.WHOLE, ""), Manifest.class);
  }

  void putManifest(Path tableRoot, Manifest manifest, String digest, int bytes) {
    put(new Key(tableRoot, digest, Key.WHOLE, ""), manifest, (long) MANIFEST_EXPANSION * bytes);
  }

  Optional<FileTable> fileTable(Path tableRoot, DataFileEntry dataFile) {
    return get(new Key(tableRoot, dataFile.identity(), Key.WHOLE, ""), FileTable.class);
  }

  /**
   * Keeps the files of a data file.
   *
   * @return these, or the same of the data file before: the parts of a big build share one object
   */
  FileTable putFileTable(Path tableRoot, DataFileEntry dataFile, FileTable files) {
    FileTable before = lastFiles.getIfPresent(tableRoot);
    FileTable kept = before != null && files.sameAs(before) ? before : files;
    lastFiles.put(tableRoot, kept);
    put(new Key(tableRoot, dataFile.identity(), Key.WHOLE, ""), kept, kept.weight());
    return kept;
  }

  /** The files that some data files together leave in the table; empty if they are not known. */
  Optional<LiveFileList> liveFiles(Path tableRoot, List<DataFileEntry> dataFiles) {
    return get(liveKey(tableRoot, dataFiles), LiveFileList.class);
  }

  void putLiveFiles(Path tableRoot, List<DataFileEntry> dataFiles, LiveFileList files) {
    put(liveKey(tableRoot, dataFiles), files, files.weight());
  }

  private static Key liveKey(Path tableRoot, List<DataFileEntry> dataFiles) {
    String identity =
        dataFiles.stream().map(DataFileEntry::identity).collect(Collectors.joining("\n"));
    return new Key(tableRoot, identity, Key.LIVE, "");
  }

  /** The rows of a column in a row group; empty if they are not known. */
  Optional<ColumnPart> part(
      Path tableRoot, DataFileEntry dataFile, RowGroupEntry group, String column) {
    return get(partKey(tableRoot, dataFile, group, column), ColumnPart.class);
  }

  void putPart(
      Path tableRoot, DataFileEntry dataFile, RowGroupEntry group, String column, ColumnPart part) {
    put(partKey(tableRoot, dataFile, group, column), part, part.weight());
  }

  private static Key partKey(
      Path tableRoot, DataFileEntry dataFile, RowGroupEntry group, String column) {
    return new Key(tableRoot, dataFile.identity(), group.section().offset(), column);
  }

  private void put(Key key, Object value, long weight) {
    entries.put(key, new Weighed(value, weight));
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
    /** In place of the offset of a row group: what is not of one alone. */
    static final long WHOLE = -1;

    /** In place of the offset of a row group: the live files of all data files. */
    static final long LIVE = -2;

    final Path tableRoot;
    final String file;
    final long rowGroup;
    final String column;

    Key(Path tableRoot, String file, long rowGroup, String column) {
      this.tableRoot = tableRoot;
      this.file = file;
      this.rowGroup = rowGroup;
      this.column = column;
    }

    @Override
    public boolean equals(Object other) {
      if (!(other instanceof Key)) {
        return false;
      }
      Key key = (Key) other;
      return tableRoot.equals(key.tableRoot)
          && file.equals(key.file)
          && rowGroup == key.rowGroup
          && column.equals(key.column);
    }

    @Override
    public int hashCode() {
      return Objects.hash(tableRoot, file, rowGroup, column);
    }
  }
}
