// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.index.storage;

import io.hudiskip.compile.kind.IndexKinds;
import io.hudiskip.index.IndexUnavailableException;
import io.hudiskip.index.files.FileTable;
import io.hudiskip.index.manifest.DataFileEntry;
import io.hudiskip.index.manifest.RowGroupEntry;
import io.hudiskip.index.parquet.RowGroupFields;
import io.hudiskip.index.parquet.Runs;
import io.hudiskip.index.parquet.StatisticsField;
import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import javax.annotation.Nullable;
import org.apache.hadoop.fs.Path;

/**
 * One data file of the index for one query: parts from the cache, and the rest from the file, which
 * is opened on first use. Serves one thread.
 */
final class OpenDataFile implements Closeable {

  /** A larger file is not read before a job. */
  private static final long MAX_CHECKED_BYTES = 8L << 20;

  private interface Reading<T> {
    T read() throws IOException;
  }

  private final IndexDirectory directory;
  private final IndexCache cache;
  private final DataFileEntry entry;
  private final Set<String> columns;

  /** Parts that this query has used, whether or not they fit the cache. */
  private final Map<RowGroupEntry, Map<String, RowGroupColumn>> parts = new HashMap<>();

  @Nullable private DataFileReader reader;

  /** {@code columns} are all that the query may request. */
  OpenDataFile(
      IndexDirectory directory, IndexCache cache, DataFileEntry entry, Set<String> columns) {
    this.directory = directory;
    this.cache = cache;
    this.entry = entry;
    this.columns = columns;
  }

  DataFileEntry entry() {
    return entry;
  }

  /**
   * The base files that it covers.
   *
   * @throws IndexUnavailableException when it cannot be read, or is not as the manifest describes
   *     it
   */
  FileTable files() throws IndexUnavailableException {
    List<Object> key = Arrays.asList(directory.tableRoot(), entry.identity());
    Optional<FileTable> cached = cache.get(key, FileTable.class);
    if (cached.isPresent()) {
      return cached.get();
    }
    FileTable files = cache.shared(directory.tableRoot(), checked(this::readFiles));
    cache.put(key, files, files.weight());
    return files;
  }

  /**
   * Reads and checks its row groups, unless this JVM has done so: all of them if it is short, or
   * else the last, without which it would have been cut.
   *
   * @throws IndexUnavailableException as {@link #files}
   */
  void check() throws IndexUnavailableException {
    List<Object> key = Arrays.asList(directory.tableRoot(), entry.identity(), "checked");
    if (!cache.get(key, Boolean.class).isPresent()) {
      List<RowGroupEntry> all = entry.rowGroups();
      boolean isShort = entry.size() <= MAX_CHECKED_BYTES;
      int from = isShort ? 0 : Math.max(0, all.size() - 1);
      checked(() -> reader().read(all.subList(from, all.size())));
      cache.put(key, true, 1);
    }
  }

  private FileTable readFiles() throws IOException {
    return FileTable.of(reader().read(entry.rowGroups(RowGroupEntry.FILES)), entry.files());
  }

  /**
   * The rows of a kind and column for at least the given base files.
   *
   * @param column one of the query's
   * @throws IndexUnavailableException as {@link #files}
   */
  DataFileColumn column(String kind, String column, BitSet ordinals)
      throws IndexUnavailableException {
    List<RowGroupColumn> found = new ArrayList<>();
    for (RowGroupEntry group : entry.rowGroups(kind, column)) {
      if (group.mayHoldAny(ordinals)) {
        found.add(part(group, column));
      }
    }
    return new DataFileColumn(found);
  }

  private RowGroupColumn part(RowGroupEntry group, String column) throws IndexUnavailableException {
    Map<String, RowGroupColumn> known = parts.computeIfAbsent(group, first -> new HashMap<>());
    if (!known.containsKey(column)) {
      Optional<RowGroupColumn> cached = cache.get(key(group, column), RowGroupColumn.class);
      if (cached.isPresent()) {
        known.put(column, cached.get());
      } else {
        // Reads and checks the group once for all of the query's columns.
        List<String> wanted = columns.stream().filter(group::mayHold).collect(Collectors.toList());
        Map<String, RowGroupColumn> read = checked(() -> read(group, wanted));
        read.forEach((name, part) -> cache.put(key(group, name), part, part.weight()));
        known.putAll(read);
      }
    }
    return known.get(column);
  }

  private List<Object> key(RowGroupEntry group, String column) {
    long offset = group.section().offset();
    return Arrays.asList(directory.tableRoot(), entry.identity(), offset, column);
  }

  /** One part per column, without rows if the group has none of the column. */
  private Map<String, RowGroupColumn> read(RowGroupEntry group, Collection<String> wanted)
      throws IOException {
    RowGroupFields fields = reader().read(Collections.singletonList(group)).get(0);
    Map<String, RowGroupColumn> read = new HashMap<>();
    if (group.hasOneColumn()) {
      for (String column : wanted) {
        read.put(column, nextPart(group, fields, fields.rows()));
      }
      return read;
    }
    Runs names = fields.field(StatisticsField.COLUMN).runs(fields.rows());
    for (int run = 0; run < names.count(); run++) {
      String column = names.value(run).toStringUsingUTF8();
      if (wanted.contains(column)) {
        int start = names.start(run);
        fields.moveTo(start);
        read.put(column, nextPart(group, fields, names.end(run) - start));
      }
    }
    for (String column : wanted) {
      if (!read.containsKey(column)) {
        read.put(column, nextPart(group, fields, 0));
      }
    }
    return read;
  }

  private RowGroupColumn nextPart(RowGroupEntry group, RowGroupFields fields, int rows)
      throws IOException {
    return group.kind().equals(RowGroupEntry.RANGE)
        ? new RangePart(fields, rows, entry.files())
        : new ContentPart(IndexKinds.named(group.kind()).get(), fields, rows, entry.files());
  }

  private DataFileReader reader() throws IOException {
    if (reader == null) {
      reader = new DataFileReader(directory.fileSystem(), directory.file(entry.name()));
    }
    return reader;
  }

  private <T> T checked(Reading<T> reading) throws IndexUnavailableException {
    Path path = directory.file(entry.name());
    try {
      return reading.read();
    } catch (FileNotFoundException e) {
      throw unavailable(path, "it is missing", e);
    } catch (IOException e) {
      throw unavailable(path, e.getMessage(), e);
    } catch (RuntimeException | LinkageError e) {
      // Parquet's decoders throw these for malformed bytes, and zstd for missing native code.
      throw unavailable(path, e.toString(), e);
    }
  }

  private IndexUnavailableException unavailable(Path path, String reason, Throwable cause) {
    return new IndexUnavailableException(
        "cannot use "
            + path
            + " of the index: "
            + reason
            + "; rebuild the index with: "
            + directory.buildCommand(),
        cause);
  }

  @Override
  public void close() {
    if (reader != null) {
      reader.close();
    }
  }
}
