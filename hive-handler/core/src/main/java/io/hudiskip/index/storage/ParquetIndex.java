// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.index.storage;

import io.hudiskip.compile.expression.ExplainedNode;
import io.hudiskip.compile.expression.HudiExpression;
import io.hudiskip.compile.expression.TermEvaluator;
import io.hudiskip.compile.statistics.RecordedTimestamps;
import io.hudiskip.compile.statistics.StatisticsTable;
import io.hudiskip.index.BaseFile;
import io.hudiskip.index.FileVerdicts;
import io.hudiskip.index.IndexUnavailableException;
import io.hudiskip.index.LiveFiles;
import io.hudiskip.index.LiveTotals;
import io.hudiskip.index.SeenTimeline;
import io.hudiskip.index.StatisticsIndex;
import io.hudiskip.index.files.FileTable;
import io.hudiskip.index.files.KnownFiles;
import io.hudiskip.index.files.ListedFiles;
import io.hudiskip.index.files.LiveFileList;
import io.hudiskip.index.manifest.DataFileEntry;
import io.hudiskip.index.manifest.Manifest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * One generation of the index that is kept beside the table ({@code docs/inside/formats.md},
 * section 3).
 *
 * <p>Columns are read when an expression first needs them and cached in the JVM up to {@code
 * hudi.skipping.index.cache.bytes}.
 */
public final class ParquetIndex implements StatisticsIndex {
  final IndexDirectory directory;
  final Manifest manifest;
  final IndexCache cache;
  final RecordedTimestamps timestamps;

  private ParquetIndex(
      IndexDirectory directory,
      Manifest manifest,
      IndexCache cache,
      RecordedTimestamps timestamps) {
    this.directory = directory;
    this.manifest = manifest;
    this.cache = cache;
    this.timestamps = timestamps;
  }

  /**
   * Opens the newest generation with the JVM's cache. Statistics are read when an expression needs
   * them.
   *
   * @param cacheBytes size of the cache, which the first caller in the JVM decides
   * @param timestamps asked when an expression reads a timestamp
   * @throws IndexUnavailableException when there is no usable generation
   */
  public static StatisticsIndex open(
      FileSystem fileSystem, Path tableRoot, long cacheBytes, RecordedTimestamps timestamps)
      throws IndexUnavailableException {
    return openIfAny(fileSystem, tableRoot, cacheBytes, timestamps)
        .orElseThrow(() -> missing(fileSystem, tableRoot));
  }

  /** As above; empty if the table has no such index, usable or not. */
  public static Optional<StatisticsIndex> openIfAny(
      FileSystem fileSystem, Path tableRoot, long cacheBytes, RecordedTimestamps timestamps)
      throws IndexUnavailableException {
    return openIfAny(fileSystem, tableRoot, IndexCache.shared(cacheBytes), timestamps);
  }

  /** As above, with its own cache. */
  static Optional<StatisticsIndex> openIfAny(
      FileSystem fileSystem, Path tableRoot, IndexCache cache, RecordedTimestamps timestamps)
      throws IndexUnavailableException {
    IndexDirectory directory = new IndexDirectory(fileSystem, tableRoot);
    return directory
        .newestManifest(cache)
        .map(manifest -> new ParquetIndex(directory, manifest, cache, timestamps));
  }

  /** What {@link #open} throws for a table that has no such index. */
  public static IndexUnavailableException missing(FileSystem fileSystem, Path tableRoot) {
    return new IndexDirectory(fileSystem, tableRoot).missing();
  }

  @Override
  public long generation() {
    return manifest.generation();
  }

  @Override
  public String instant() {
    return manifest.instant();
  }

  @Override
  public Optional<LiveTotals> live() {
    return Optional.of(manifest.live());
  }

  @Override
  public Optional<SeenTimeline> seen() {
    return manifest.seen();
  }

  @Override
  public Optional<BitSet> notIndexed(List<BaseFile> listing) throws IndexUnavailableException {
    return Optional.of(liveFileList().missing(listing));
  }

  @Override
  public long[] rows(List<BaseFile> listing) throws IndexUnavailableException {
    return liveFileList().rows(listing);
  }

  @Override
  public Optional<LiveFiles> liveFiles() throws IndexUnavailableException {
    if (!manifest.seen().isPresent()) {
      return Optional.empty();
    }
    LiveFileList files = liveFileList();
    // The totals are counted independently; if they disagree, neither is reliable. This also
    // catches equal checksums of different files.
    boolean totalsAgree =
        files.size() == manifest.live().files() && files.bytes() == manifest.live().bytes();
    return totalsAgree
        ? Optional.of(new LiveFiles(files, files.bytes(), manifest.seen().get()))
        : Optional.empty();
  }

  @Override
  public void check() throws IndexUnavailableException {
    for (DataFileEntry entry : manifest.dataFiles()) {
      try (OpenDataFile dataFile =
          new OpenDataFile(directory, cache, entry, Collections.emptySet())) {
        dataFile.check();
      }
    }
  }

  LiveFileList liveFileList() throws IndexUnavailableException {
    String identity =
        manifest.dataFiles().stream()
            .map(DataFileEntry::identity)
            .collect(Collectors.joining("\n"));
    List<Object> key = Arrays.asList(directory.tableRoot(), "live", identity);
    Optional<LiveFileList> cached = cache.get(key, LiveFileList.class);
    if (cached.isPresent()) {
      return cached.get();
    }
    List<FileTable> tables = new ArrayList<>();
    for (DataFileEntry entry : manifest.withDistinctFiles()) {
      try (OpenDataFile dataFile =
          new OpenDataFile(directory, cache, entry, Collections.emptySet())) {
        tables.add(dataFile.files());
      }
    }
    LiveFileList files = new LiveFileList(tables);
    cache.put(key, files, files.weight());
    return files;
  }

  @Override
  public FileVerdicts evaluate(HudiExpression expression, TermEvaluator terms)
      throws IndexUnavailableException {
    try (IndexQuery<KnownFiles> query =
        new IndexQuery<>(this, expression, StatisticsTable.ofNothing(0), terms, KnownFiles::new)) {
      BitSet kept = query.candidates();
      KnownFiles files = query.files();
      return listing -> files.keeps(listing, kept);
    }
  }

  @Override
  public BitSet keeps(
      HudiExpression expression,
      List<BaseFile> listing,
      StatisticsTable beside,
      TermEvaluator terms)
      throws IndexUnavailableException {
    try (IndexQuery<?> query =
        new IndexQuery<>(this, expression, beside, terms, tables -> new ListedFiles(listing))) {
      return query.candidates();
    }
  }

  @Override
  public List<ExplainedNode> explain(
      HudiExpression expression,
      List<BaseFile> listing,
      StatisticsTable beside,
      TermEvaluator terms)
      throws IndexUnavailableException {
    try (IndexQuery<?> query =
        new IndexQuery<>(this, expression, beside, terms, tables -> new ListedFiles(listing))) {
      return query.explain();
    }
  }
}
