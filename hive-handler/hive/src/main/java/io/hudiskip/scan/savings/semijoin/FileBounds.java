// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.savings.semijoin;

import io.hudiskip.compile.statistics.ColumnStatistics;
import io.hudiskip.index.BaseFile;
import io.hudiskip.index.IndexUnavailableException;
import io.hudiskip.index.StatisticsIndex;
import io.hudiskip.index.columns.ColumnOfFiles;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.annotation.Nullable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.Text;

/**
 * The bounds of one column in one file, which a split carries to the task that knows what a {@link
 * SemijoinFilter} has found. Immutable.
 */
final class FileBounds {
  private final String column;

  /** Null, as is {@link #upper}, if every row has NULL. */
  @Nullable private final byte[] lower;

  @Nullable private final byte[] upper;

  FileBounds(String column, @Nullable byte[] lower, @Nullable byte[] upper) {
    this.column = column;
    this.lower = lower;
    this.upper = upper;
  }

  /**
   * Reads the bounds of the columns that semijoins filter.
   *
   * @return for each file, those that are known
   * @throws IndexUnavailableException when the index is unreadable or damaged
   */
  static List<List<FileBounds>> read(
      StatisticsIndex index, List<SemijoinFilter> semijoins, List<BaseFile> files)
      throws IndexUnavailableException {
    List<List<FileBounds>> found =
        IntStream.range(0, files.size())
            .<List<FileBounds>>mapToObj(file -> new ArrayList<>())
            .collect(Collectors.toList());
    for (SemijoinFilter semijoin : semijoins) {
      List<Optional<ColumnStatistics>> known = ColumnOfFiles.read(index, semijoin.column(), files);
      for (int file = 0; file < files.size(); file++) {
        known
            .get(file)
            .flatMap(statistics -> of(semijoin.column().name(), statistics))
            .ifPresent(found.get(file)::add);
      }
    }
    return found;
  }

  private static Optional<FileBounds> of(String column, ColumnStatistics statistics) {
    if (statistics.isAllNull()) {
      return Optional.of(new FileBounds(column, null, null));
    }
    return statistics.lower() == null || statistics.upper() == null
        ? Optional.empty()
        : Optional.of(new FileBounds(column, statistics.lower(), statistics.upper()));
  }

  /**
   * Whether a filter of the scan drops every row of a file.
   *
   * @param file what is known of it
   * @param task the configuration of the task that reads it
   * @throws RuntimeException when the filters' values have not arrived
   */
  static boolean areOutside(
      List<FileBounds> file, List<SemijoinFilter> semijoins, Configuration task) {
    return semijoins.stream()
        .anyMatch(
            semijoin ->
                file.stream()
                    .anyMatch(
                        bounds ->
                            bounds.column.equals(semijoin.column().name())
                                && semijoin.drops(bounds, task)));
  }

  boolean isAllNull() {
    return lower == null || upper == null;
  }

  /** Encoded; null if the file {@link #isAllNull}. */
  @Nullable
  byte[] lower() {
    return lower;
  }

  /** Encoded; null if the file {@link #isAllNull}. */
  @Nullable
  byte[] upper() {
    return upper;
  }

  /** Writes some for {@link #read(DataInput)}. */
  static void write(DataOutput out, List<FileBounds> all) throws IOException {
    out.writeInt(all.size());
    for (FileBounds bounds : all) {
      Text.writeString(out, bounds.column);
      out.writeBoolean(bounds.isAllNull());
      if (!bounds.isAllNull()) {
        new BytesWritable(bounds.lower).write(out);
        new BytesWritable(bounds.upper).write(out);
      }
    }
  }

  /** Reads what {@link #write} has written. */
  static List<FileBounds> read(DataInput in) throws IOException {
    List<FileBounds> all = new ArrayList<>();
    for (int i = in.readInt(); i > 0; i--) {
      String column = Text.readString(in);
      boolean isAllNull = in.readBoolean();
      all.add(
          isAllNull
              ? new FileBounds(column, null, null)
              : new FileBounds(column, readBytes(in), readBytes(in)));
    }
    return all;
  }

  private static byte[] readBytes(DataInput in) throws IOException {
    BytesWritable bytes = new BytesWritable();
    bytes.readFields(in);
    return bytes.copyBytes();
  }
}
