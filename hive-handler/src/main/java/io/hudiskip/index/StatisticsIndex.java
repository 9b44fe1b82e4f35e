/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.index;

import io.hudiskip.expression.ExplainedNode;
import io.hudiskip.expression.HudiExpression;
import io.hudiskip.expression.TermEvaluator;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * One generation of a table's statistics index. It holds no state of a query, and threads may share
 * it.
 *
 * <p>Columns are read when an expression first needs them and kept in the JVM up to {@code
 * hudi.skipping.index.cache.bytes}.
 */
public final class StatisticsIndex {
  private final IndexDirectory directory;
  private final Manifest manifest;
  private final IndexCache cache;

  private StatisticsIndex(IndexDirectory directory, Manifest manifest, IndexCache cache) {
    this.directory = directory;
    this.manifest = manifest;
    this.cache = cache;
  }

  /**
   * Opens the newest generation of a table's index.
   *
   * @param fileSystem the table's file system
   * @param tableRoot directory that holds {@code .hoodie}
   * @throws IndexUnavailableException when there is none that can be used; its message is for
   *     people
   */
  public static StatisticsIndex open(FileSystem fileSystem, Path tableRoot)
      throws IndexUnavailableException {
    return open(fileSystem, tableRoot, IndexCache.shared(fileSystem.getConf()));
  }

  static StatisticsIndex open(FileSystem fileSystem, Path tableRoot, IndexCache cache)
      throws IndexUnavailableException {
    IndexDirectory directory = new IndexDirectory(fileSystem, tableRoot);
    return new StatisticsIndex(directory, directory.newestManifest(cache), cache);
  }

  /** Number of the generation. */
  public long generation() {
    return manifest.generation();
  }

  /** The last completed instant of the table's timeline that the index has seen. */
  public String instant() {
    return manifest.instant();
  }

  /** The table's base files at {@link #instant}, counted. */
  public LiveTotals live() {
    return manifest.live();
  }

  /**
   * The files that can hold rows for which the filter is TRUE.
   *
   * @param listing the files to choose from; those that the index does not know, or knows with
   *     another size, are kept
   * @return bit {@code i} is set when {@code listing.get(i)} has to be read
   * @throws IndexUnavailableException when the index cannot be read or is damaged: all files have
   *     to be kept
   */
  public BitSet candidates(HudiExpression expression, List<DataFile> listing)
      throws IndexUnavailableException {
    return expression.evaluate(statistics(expression, listing));
  }

  /**
   * As {@link #candidates(HudiExpression, List)}, with Hive's evaluation of terms.
   *
   * @param terms evaluates the terms of the filter that the expression was compiled from
   */
  public BitSet candidates(HudiExpression expression, List<DataFile> listing, TermEvaluator terms)
      throws IndexUnavailableException {
    return expression.evaluate(statistics(expression, listing), terms);
  }

  /**
   * What each node of an expression keeps of a listing, the root first, for people.
   *
   * @throws IndexUnavailableException as {@link #candidates(HudiExpression, List)} does
   */
  public List<ExplainedNode> explain(
      HudiExpression expression, List<DataFile> listing, TermEvaluator terms)
      throws IndexUnavailableException {
    return expression.explain(statistics(expression, listing), terms);
  }

  private ListingStatistics statistics(HudiExpression expression, List<DataFile> listing)
      throws IndexUnavailableException {
    return new ListingStatistics(listing, columns(expression.columns()));
  }

  private Map<String, ColumnStatistics> columns(Set<String> names)
      throws IndexUnavailableException {
    Map<String, ColumnStatistics> columns = new HashMap<>();
    Map<String, ColumnStatistics.Builder> missing = new LinkedHashMap<>();
    for (String name : names) {
      Optional<ColumnStatistics> cached = cache.column(directory.tableRoot(), manifest, name);
      if (cached.isPresent()) {
        columns.put(name, cached.get());
      } else {
        missing.put(name, new ColumnStatistics.Builder());
      }
    }
    if (!missing.isEmpty()) {
      for (DataFileEntry dataFile : manifest.dataFiles()) {
        read(dataFile, missing);
      }
    }
    missing.forEach(
        (name, builder) -> columns.put(name, remember(name, builder, columns.values())));
    return columns;
  }

  private ColumnStatistics remember(
      String name, ColumnStatistics.Builder builder, Collection<ColumnStatistics> known) {
    ColumnStatistics statistics = builder.build().sharingFiles(known);
    cache.putColumn(directory.tableRoot(), manifest, name, statistics);
    return statistics;
  }

  private void read(DataFileEntry dataFile, Map<String, ColumnStatistics.Builder> wanted)
      throws IndexUnavailableException {
    Path path = directory.file(dataFile.name());
    try {
      new DataFileReader(directory.fileSystem(), path, dataFile).readInto(wanted);
    } catch (FileNotFoundException e) {
      throw unavailable(path, "it is missing", e);
    } catch (IOException e) {
      throw unavailable(path, e.getMessage(), e);
    } catch (RuntimeException | LinkageError e) {
      // Parquet's decoders throw these for what they cannot make sense of, and where zstd's native
      // code is missing.
      throw unavailable(path, e.toString(), e);
    }
  }

  private IndexUnavailableException unavailable(Path path, String reason, Throwable cause) {
    return new IndexUnavailableException(
        "cannot use "
            + path
            + " of index generation "
            + manifest.generation()
            + ": "
            + reason
            + "; build the index again with: "
            + directory.buildCommand(),
        cause);
  }
}
