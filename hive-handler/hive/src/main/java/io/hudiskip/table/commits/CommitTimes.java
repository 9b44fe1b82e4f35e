// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.table.commits;

import io.hudiskip.compile.encoding.HiveType;
import io.hudiskip.compile.statistics.ColumnStatistics;
import io.hudiskip.compile.statistics.ColumnVector;
import io.hudiskip.compile.statistics.StatisticsTable;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.annotation.Nullable;
import org.apache.hudi.common.model.FileSlice;
import org.apache.hudi.common.model.HoodieRecord;
import org.apache.hudi.util.Lazy;

/**
 * Bounds of {@code _hoodie_commit_time} in file slices, without reading them; section 2 of {@code
 * docs/inside/formats.md} has the rule and its proof. Thread-safe.
 */
public final class CommitTimes {

  /** The requested time of the commit that wrote a row. */
  public static final String COLUMN = HoodieRecord.COMMIT_TIME_METADATA_FIELD;

  private static final Optional<HiveType> TYPE = HiveType.parse("string");

  private final LastCommits lastCommits;
  private final Optional<Set<String>> commits;

  /** {@code commits} are the requested times of commits whose rows are read; empty for all. */
  public CommitTimes(LastCommits lastCommits, Optional<Set<String>> commits) {
    this.lastCommits = lastCommits;
    this.commits = commits;
  }

  /** The column's statistics in each slice, computed on first use. */
  public StatisticsTable of(List<FileSlice> slices) {
    return new StatisticsTable() {
      @Override
      public int fileCount() {
        return slices.size();
      }

      @Override
      public Optional<ColumnVector> column(String name) {
        return name.equals(COLUMN) ? Optional.of(statistics(slices)) : Optional.empty();
      }
    };
  }

  private ColumnVector statistics(List<FileSlice> slices) {
    Lazy<List<Optional<String>>> last = Lazy.lazily(() -> lastCommits.of(slices));
    return position -> statistics(last.get().get(position));
  }

  @Nullable
  private ColumnStatistics statistics(Optional<String> last) {
    if (!commits.isPresent()) {
      return last.map(upper -> between(null, upper)).orElse(null);
    }
    // The reader drops the rows of all other commits.
    Set<String> read = commits.get();
    if (read.isEmpty()) {
      return null;
    }
    String upper = Collections.max(read);
    return between(Collections.min(read), last.filter(l -> l.compareTo(upper) < 0).orElse(upper));
  }

  private static ColumnStatistics between(@Nullable String lower, String upper) {
    long unknown = ColumnStatistics.UNKNOWN_COUNT;
    return new ColumnStatistics(
        TYPE,
        lower == null ? null : lower.getBytes(StandardCharsets.UTF_8),
        upper.getBytes(StandardCharsets.UTF_8),
        unknown,
        unknown,
        unknown);
  }
}
