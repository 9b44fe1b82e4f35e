// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.index.files;

import io.hudiskip.compile.encoding.EncodedOrder;
import io.hudiskip.index.parquet.Counts;
import io.hudiskip.index.parquet.PackedBytes;
import io.hudiskip.index.parquet.RowGroupFields;
import io.hudiskip.index.parquet.Runs;
import io.hudiskip.index.parquet.StatisticsField;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.parquet.io.api.Binary;

/**
 * The base files covered by one data file, searchable by path. A file's position is its ordinal;
 * files are sorted by directory, then by name. Immutable.
 */
public final class FileTable {
  static final int ABSENT = -1;

  private static final int LAST_ASCII = 0x7F;

  private final PackedBytes names;

  /** Directories with a trailing {@code /}, in file order. */
  private final String[] directories;

  private final int[] directoryStarts;

  private final Counts sizes;
  private final Counts rows;

  private final Map<String, Integer> directoryNumbers = new HashMap<>();

  private FileTable(
      PackedBytes names, String[] directories, int[] directoryStarts, Counts sizes, Counts rows) {
    this.names = names;
    this.directories = directories;
    this.directoryStarts = directoryStarts;
    this.sizes = sizes;
    this.rows = rows;
    for (int number = 0; number < directories.length; number++) {
      directoryNumbers.put(directories[number], number);
    }
  }

  Search search() {
    return new Search();
  }

  /**
   * Finds files by path, fastest in the table's order. Serves one thread.
   *
   * <p>A file that does not follow the previous one is found by bisecting its directory, which
   * needs no hash table and has good locality.
   */
  final class Search {

    /** Position of the directory of {@link #next}. */
    private int directory;

    /** The first candidate. */
    private int next;

    /** The ordinal of the file at {@code path}, or {@link #ABSENT}. */
    int find(String path) {
      if (next < count() && isNext(path)) {
        return found(next);
      }
      int nameStart = path.lastIndexOf('/') + 1;
      Integer number = directoryNumbers.get(path.substring(0, nameStart));
      if (number == null) {
        return ABSENT;
      }
      int from = directoryStarts[number];
      int to = directoryEnd(number);
      while (from < to) {
        int middle = (from + to) >>> 1;
        int order = compareName(middle, path, nameStart);
        if (order == 0) {
          directory = number;
          return found(middle);
        }
        if (order < 0) {
          from = middle + 1;
        } else {
          to = middle;
        }
      }
      return ABSENT;
    }

    private boolean isNext(String path) {
      String expected = directories[directory];
      return path.startsWith(expected) && compareName(next, path, expected.length()) == 0;
    }

    private int found(int ordinal) {
      next = ordinal + 1;
      if (next == directoryEnd(directory)) {
        directory++;
      }
      return ordinal;
    }
  }

  private int directoryEnd(int directory) {
    return directory == directories.length - 1 ? count() : directoryStarts[directory + 1];
  }

  /** Compares a file's name with the rest of {@code path} from {@code nameStart}, as UTF-8. */
  private int compareName(int ordinal, String path, int nameStart) {
    byte[] bytes = names.bytes();
    int start = names.start(ordinal);
    int length = names.end(ordinal) - start;
    int wantedLength = path.length() - nameStart;
    for (int i = 0; i < Math.min(length, wantedLength); i++) {
      char wanted = path.charAt(nameStart + i);
      if (wanted > LAST_ASCII) {
        return compareEncoded(ordinal, path.substring(nameStart));
      }
      int difference = (bytes[start + i] & 0xFF) - wanted;
      if (difference != 0) {
        return difference;
      }
    }
    return length - wantedLength;
  }

  private int compareEncoded(int ordinal, String wanted) {
    byte[] name = names.get(ordinal);
    int order = EncodedOrder.compare(name, wanted.getBytes(StandardCharsets.UTF_8));
    // Unpaired surrogates are encoded as other text, so only an equal name is a match.
    return order == 0 && !new String(name, StandardCharsets.UTF_8).equals(wanted) ? 1 : order;
  }

  /** Whether both have the same files with the same ordinals, so one can replace the other. */
  public boolean sameAs(FileTable other) {
    return this == other
        || (names.sameAs(other.names)
            && Arrays.equals(directories, other.directories)
            && Arrays.equals(directoryStarts, other.directoryStarts)
            && sizes.sameAs(other.sizes)
            && rows.sameAs(other.rows));
  }

  int count() {
    return sizes.size();
  }

  /** Path below the table root. */
  String path(int ordinal) {
    int found = Arrays.binarySearch(directoryStarts, ordinal);
    int directory = found < 0 ? -found - 2 : found;
    return directories[directory] + new String(names.get(ordinal), StandardCharsets.UTF_8);
  }

  /** Length in bytes when the file's statistics were read. */
  long size(int ordinal) {
    return sizes.get(ordinal);
  }

  public long rows(int ordinal) {
    return rows.get(ordinal);
  }

  /** Approximate memory in bytes. */
  public long weight() {
    long ofDirectories = 0;
    for (String directory : directories) {
      ofDirectories += 128 + directory.length();
    }
    return 64L + names.weight() + ofDirectories + sizes.weight() + rows.weight();
  }

  /**
   * Reads the files of a data file.
   *
   * @param groups in order of their files' ordinals
   * @param count the expected number of files
   * @throws IOException when there are more or fewer files, or they are out of order
   */
  public static FileTable of(List<RowGroupFields> groups, int count) throws IOException {
    PackedBytes.Builder names = new PackedBytes.Builder(count);
    List<String> directories = new ArrayList<>();
    List<Integer> directoryStarts = new ArrayList<>();
    long[] sizes = new long[count];
    long[] rows = new long[count];
    Binary lastPartition = null;
    int start = 0;
    for (RowGroupFields group : groups) {
      int added = group.rows();
      if (added > count - start) {
        throw new IOException("there are more than " + count + " files");
      }
      requireConsecutive(group.field(StatisticsField.FILE).ints(added), start);
      Runs partitions = group.field(StatisticsField.PARTITION).runs(added);
      for (int run = 0; run < partitions.count(); run++) {
        Binary partition = partitions.value(run);
        // A row group may begin in the middle of a partition.
        if (!partition.equals(lastPartition)) {
          int first = start + partitions.start(run);
          requireOrder(lastPartition == null || isBefore(lastPartition, partition), first);
          String name = partition.toStringUsingUTF8();
          directories.add(name.isEmpty() ? "" : name + "/");
          directoryStarts.add(first);
          lastPartition = partition;
        }
      }
      group.field(StatisticsField.FILE_NAME).requiredBytes(added, names);
      long[] addedSizes = group.field(StatisticsField.FILE_SIZE).requiredCounts(added);
      System.arraycopy(addedSizes, 0, sizes, start, added);
      long[] addedRows = group.field(StatisticsField.VALUE_COUNT).requiredCounts(added);
      System.arraycopy(addedRows, 0, rows, start, added);
      start += added;
    }
    if (start != count) {
      throw new IOException("there are " + start + " files instead of " + count);
    }
    FileTable table =
        new FileTable(
            names.build(),
            directories.toArray(new String[0]),
            directoryStarts.stream().mapToInt(Integer::intValue).toArray(),
            Counts.of(sizes),
            Counts.of(rows));
    table.requireOrderOfNames();
    return table;
  }

  private static void requireConsecutive(int[] ordinals, int start) throws IOException {
    for (int i = 0; i < ordinals.length; i++) {
      if (ordinals[i] != start + i) {
        throw new IOException("file " + (start + i) + " is numbered " + ordinals[i]);
      }
    }
  }

  private static boolean isBefore(Binary partition, Binary next) {
    return EncodedOrder.compare(partition.getBytes(), next.getBytes()) < 0;
  }

  private void requireOrderOfNames() throws IOException {
    for (int directory = 0; directory < directories.length; directory++) {
      int end = directoryEnd(directory);
      for (int ordinal = directoryStarts[directory] + 1; ordinal < end; ordinal++) {
        requireOrder(names.isAscending(ordinal - 1), ordinal);
      }
    }
  }

  /** Searches rely on the order: a file out of order would not be found. */
  private static void requireOrder(boolean isInOrder, int ordinal) throws IOException {
    if (!isInOrder) {
      throw new IOException("file " + ordinal + " is out of order (by partition and name)");
    }
  }
}
