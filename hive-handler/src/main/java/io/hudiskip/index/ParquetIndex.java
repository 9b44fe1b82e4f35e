/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.index;

import io.hudiskip.expression.ExplainedNode;
import io.hudiskip.expression.HudiExpression;
import io.hudiskip.expression.TermEvaluator;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * One generation of the index that is written beside the table ({@code docs/format.md}, section 3).
 *
 * <p>Columns are read when an expression first needs them and kept in the JVM up to {@code
 * hudi.skipping.index.cache.bytes}.
 */
final class ParquetIndex implements StatisticsIndex {
  private final IndexDirectory directory;
  private final Manifest manifest;
  private final IndexCache cache;

  private ParquetIndex(IndexDirectory directory, Manifest manifest, IndexCache cache) {
    this.directory = directory;
    this.manifest = manifest;
    this.cache = cache;
  }

  /** Opens the newest generation; as {@link StatisticsIndex#open}. */
  static ParquetIndex open(FileSystem fileSystem, Path tableRoot, IndexCache cache)
      throws IndexUnavailableException {
    IndexDirectory directory = new IndexDirectory(fileSystem, tableRoot);
    return new ParquetIndex(directory, directory.newestManifest(cache), cache);
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
  public BitSet candidates(HudiExpression expression, List<DataFile> listing, TermEvaluator terms)
      throws IndexUnavailableException {
    try (IndexQuery query =
        new IndexQuery(directory, cache, manifest, expression, listing, terms)) {
      return query.candidates();
    }
  }

  @Override
  public List<ExplainedNode> explain(
      HudiExpression expression, List<DataFile> listing, TermEvaluator terms)
      throws IndexUnavailableException {
    try (IndexQuery query =
        new IndexQuery(directory, cache, manifest, expression, listing, terms)) {
      return query.explain();
    }
  }
}
