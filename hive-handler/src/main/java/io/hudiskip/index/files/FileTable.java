/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.index.files;

import io.hudiskip.encoding.EncodedOrder;
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
 * The base files that one data file has rows for, found by path. The position of a file is its
 * ordinal; they are sorted by directory, and in it by name. Immutable.
 */
public final class FileTable {
  static final int ABSENT = -1;

  private static final int LAST_ASCII = 0x7F;

  /** File names. */
  private final PackedBytes names;

  /** Directories with the {@code /} behind them, in the order of the files. */
  private final String[] directories;

  /** Ordinal of the first file of each directory. */
  private final int[] directoryStarts;

  private final Counts sizes;
  private final Counts rows;

  /** Positions in {@link #directories}. */
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

  /** A search for the files of one listing. */
  Search search() {
    return new Search();
  }

  /**
   * Finds files by path, fastest where they come in the order of the table. Serves one thread.
   *
   * <p>Files are sorted, so that a file which does not follow the last one is found by bisection of
   * its directory: no table of hashes has to be made, and what is looked at lies together.
   */
  final class Search {

    /** Position of the directory of {@link #next}. */
    private int directory;

    /** The file that is looked at first. */
    private int next;

    /** The ordinal of the file of that path; {@link #ABSENT} if there is none. */
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

  /** Compares the name of a file with what stands in a path from {@code nameStart} on, as UTF-8. */
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
    byte[] bytes = names.bytes();
    byte[] name = Arrays.copyOfRange(bytes, names.start(ordinal), names.end(ordinal));
    int order = EncodedOrder.compare(name, wanted.getBytes(StandardCharsets.UTF_8));
    // What is no text in UTF-16 is encoded as another one: a file is found only if its name is it.
    return order == 0 && !new String(name, StandardCharsets.UTF_8).equals(wanted) ? 1 : order;
  }

  /**
   * Whether both have the same files with the same ordinals, so that one can stand for the other.
   */
  public boolean sameAs(FileTable other) {
    return this == other
        || (names.sameAs(other.names)
            && Arrays.equals(directories, other.directories)
            && Arrays.equals(directoryStarts, other.directoryStarts)
            && sizes.sameAs(other.sizes)
            && rows.sameAs(other.rows));
  }

  /** Number of files. */
  int count() {
    return sizes.size();
  }

  /** Path of a file below the table's root. */
  String path(int ordinal) {
    int found = Arrays.binarySearch(directoryStarts, ordinal);
    int directory = found < 0 ? -found - 2 : found;
    return directories[directory] + new String(names.get(ordinal), StandardCharsets.UTF_8);
  }

  /** Length of a file in bytes, as it was when its statistics were read. */
  long size(int ordinal) {
    return sizes.get(ordinal);
  }

  /** Rows of a file. */
  public long rows(int ordinal) {
    return rows.get(ordinal);
  }

  /** How much memory this takes, in bytes, about. */
  public long weight() {
    long ofDirectories = 0;
    for (String directory : directories) {
      ofDirectories += 128 + directory.length();
    }
    return 64L + names.weight() + ofDirectories + sizes.weight() + rows.weight();
  }

  /** Collects files in the order of their ordinals. */
  public static final class Builder {
    private final PackedBytes.Builder names;
    private final List<String> directories = new ArrayList<>();
    private final List<Integer> directoryStarts = new ArrayList<>();
    private final long[] sizes;
    private final long[] rows;
    private int count;
    private Binary lastPartition;

    /**
     * @param files number of files
     */
    public Builder(int files) {
      names = new PackedBytes.Builder(files);
      sizes = new long[files];
      rows = new long[files];
    }

    /** Adds all rows of a row group. */
    public void add(RowGroupFields fields) throws IOException {
      int added = fields.rows();
      if (added > sizes.length - count) {
        throw new IOException("there are more than " + sizes.length + " files");
      }
      int[] ordinals = fields.field(StatisticsField.FILE).ints(added);
      for (int i = 0; i < added; i++) {
        if (ordinals[i] != count + i) {
          throw new IOException("file " + (count + i) + " has the number " + ordinals[i]);
        }
      }
      Runs partitions = fields.field(StatisticsField.PARTITION).runs(added);
      for (int run = 0; run < partitions.count(); run++) {
        addPartition(partitions.value(run), count + partitions.start(run));
      }
      fields.field(StatisticsField.FILE_NAME).requiredBytes(added, names);
      copy(fields.field(StatisticsField.FILE_SIZE).requiredCounts(added), sizes);
      copy(fields.field(StatisticsField.VALUE_COUNT).requiredCounts(added), rows);
      count += added;
    }

    /** A row group may begin in the middle of a partition. */
    private void addPartition(Binary name, int start) throws IOException {
      if (name.equals(lastPartition)) {
        return;
      }
      requireOrder(lastPartition == null || isBefore(lastPartition, name), start);
      lastPartition = name;
      String partition = name.toStringUsingUTF8();
      directories.add(partition.isEmpty() ? "" : partition + "/");
      directoryStarts.add(start);
    }

    private static boolean isBefore(Binary partition, Binary next) {
      return EncodedOrder.compare(partition.getBytes(), next.getBytes()) < 0;
    }

    /** Files are searched for by their order: one that is out of it would not be found. */
    private static void requireOrder(boolean isInOrder, int ordinal) throws IOException {
      if (!isInOrder) {
        throw new IOException("file " + ordinal + " is not in the order of partitions and names");
      }
    }

    private static void requireOrder(FileTable table) throws IOException {
      for (int directory = 0; directory < table.directories.length; directory++) {
        int end = table.directoryEnd(directory);
        for (int ordinal = table.directoryStarts[directory] + 1; ordinal < end; ordinal++) {
          requireOrder(table.names.isAscending(ordinal - 1), ordinal);
        }
      }
    }

    private void copy(long[] from, long[] to) {
      System.arraycopy(from, 0, to, count, from.length);
    }

    /**
     * The table of all files.
     *
     * @throws IOException when some are missing
     */
    public FileTable build() throws IOException {
      if (count != sizes.length) {
        throw new IOException("there are " + count + " files and not " + sizes.length);
      }
      FileTable table =
          new FileTable(
              names.build(),
              directories.toArray(new String[0]),
              directoryStarts.stream().mapToInt(Integer::intValue).toArray(),
              Counts.of(sizes),
              Counts.of(rows));
      requireOrder(table);
      return table;
    }
  }
}
