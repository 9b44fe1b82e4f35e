// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.table.source;

import io.hudiskip.hive.settings.ListingSource;
import io.hudiskip.hive.settings.SkippingConf;
import io.hudiskip.index.FileVerdicts;
import io.hudiskip.index.LiveFiles;
import io.hudiskip.table.HudiTable;
import io.hudiskip.table.TableTotals;
import io.hudiskip.table.UnreadableTableException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.apache.hudi.common.model.FileSlice;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks the sources of a scan's files in turn: partition catalogue, statistics index, Hudi. */
public final class FileSources {
  private static final Logger LOG = LoggerFactory.getLogger(FileSources.class);

  private FileSources() {}

  /**
   * The slices to which the filter is applied, from the first source that has an answer. A source
   * may leave out only slices that contain no row for which the filter is TRUE.
   *
   * @throws IOException when Hudi cannot read the table
   */
  public static Candidates select(FileRequest request) throws IOException {
    String catalogue = request.settings().catalogue();
    if (catalogue.equals(SkippingConf.NO_CATALOGUE)) {
      return indexedOrAll(request);
    }
    try {
      return answer(request, () -> CatalogueCandidates.of(catalogue, request));
    } catch (KeepAllFilesException | SourceUnavailableException e) {
      return indexedOrAll(request).because(", not " + catalogue + ": " + e.getMessage());
    }
  }

  private static Candidates indexedOrAll(FileRequest request) throws IOException {
    try {
      return answer(
          request,
          () -> {
            FileVerdicts verdicts = request.verdicts(); // says first why no filter is compiled
            return index(request).candidates(verdicts);
          });
    } catch (KeepAllFilesException e) {
      return all(request); // the scan logs why it keeps all files
    } catch (SourceUnavailableException e) {
      return all(request).because(": " + e.getMessage());
    }
  }

  /**
   * All slices that the query reads, from Hudi's view of the table.
   *
   * @throws IOException when the table cannot be read
   */
  public static Candidates all(FileRequest request) throws IOException {
    List<FileSlice> slices = request.slices();
    return new Candidates(slices, TableTotals.of(slices), Candidates.FILES);
  }

  /**
   * All slices that a query without a filter reads: from the index if it provably has them,
   * otherwise from Hudi's view.
   *
   * @throws IOException when Hudi cannot read the table
   */
  public static Candidates unfiltered(FileRequest request) throws IOException {
    if (request.settings().listing() == ListingSource.FILES) {
      return all(request);
    }
    try {
      return allOfIndex(request);
    } catch (KeepAllFilesException | SourceUnavailableException e) {
      return all(request).because(": " + e.getMessage());
    }
  }

  /** All slices that a query without a filter reads; empty unless the index provably has them. */
  public static Optional<Candidates> indexed(FileRequest request) {
    try {
      return Optional.of(allOfIndex(request));
    } catch (KeepAllFilesException | SourceUnavailableException e) {
      LOG.debug("The index does not list {}", request.root(), e);
      return Optional.empty();
    }
  }

  private static Candidates allOfIndex(FileRequest request)
      throws KeepAllFilesException, SourceUnavailableException {
    return answer(request, () -> index(request).candidates(FileVerdicts.ALL));
  }

  /**
   * Bytes of the files that the filter leaves, or of the whole table without a filter: never fewer
   * than the query reads. Empty if the index cannot tell.
   */
  public static OptionalLong indexedBytes(FileRequest request, long limit) {
    try {
      return answer(
          request,
          () -> {
            FileVerdicts verdicts = verdictsOrAll(request); // the filter also chooses partitions
            return OptionalLong.of(index(request).bytes(verdicts, limit));
          });
    } catch (KeepAllFilesException | SourceUnavailableException e) {
      LOG.debug("The size of a scan of {} is unknown before listing it", request.root(), e);
      return OptionalLong.empty();
    }
  }

  private static FileVerdicts verdictsOrAll(FileRequest request) {
    try {
      return request.verdicts();
    } catch (KeepAllFilesException e) {
      LOG.debug("All files of {} are read", request.root(), e);
      return FileVerdicts.ALL;
    }
  }

  private static IndexCandidates index(FileRequest request) throws Exception {
    LiveFiles live = // opened first: the index must not be newer than the table
        request
            .index()
            .liveFiles()
            .orElseThrow(
                () ->
                    new SourceUnavailableException(
                        "the index does not record which commits it covers"));
    return IndexCandidates.of(latest(request), live, request.partitions());
  }

  /** The table, if the query reads its latest state, the only one that the sources know. */
  static HudiTable latest(FileRequest request)
      throws SourceUnavailableException, UnreadableTableException {
    if (!request.isLatestSnapshot()) {
      throw new SourceUnavailableException("the query does not read the latest state");
    }
    return request.table();
  }

  /**
   * Every failure of a source means that the next one answers, down to a jar of another version and
   * a filter nested too deep: only Hudi's own view may fail a query, and reports a failure best.
   */
  private static <T> T answer(FileRequest request, Callable<T> source)
      throws KeepAllFilesException, SourceUnavailableException {
    try {
      return source.call();
    } catch (KeepAllFilesException | SourceUnavailableException e) {
      throw e;
    } catch (Exception | LinkageError | StackOverflowError e) {
      LOG.debug("A source does not know the files of {}", request.root(), e);
      throw new SourceUnavailableException(e.toString(), e);
    }
  }
}
