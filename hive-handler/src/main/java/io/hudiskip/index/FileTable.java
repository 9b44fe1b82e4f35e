/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.index;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.parquet.io.api.Binary;

/**
 * The base files that one data file has rows for, found by path. The position of a file is its
 * ordinal. Immutable.
 */
final class FileTable {
  static final int ABSENT = -1;

  private static final int SPREAD = 0x9E3779B9;

  /** File names. */
  private final PackedBytes names;

  /** Directories with the {@code /} behind them, in the order of the files. */
  private final String[] directories;

  /** Ordinal of the first file of each directory. */
  private final int[] directoryStarts;

  private final Counts sizes;
  private final Counts rows;

  /**
   * A hash table that needs no objects: the hash of a path above, its ordinal plus one below; 0
   * where there is none.
   */
  private final long[] slots;

  private FileTable(
      PackedBytes names, String[] directories, int[] directoryStarts, Counts sizes, Counts rows) {
    this.names = names;
    this.directories = directories;
    this.directoryStarts = directoryStarts;
    this.sizes = sizes;
    this.rows = rows;
    this.slots = new long[Math.max(2, Integer.highestOneBit(Math.max(1, sizes.size())) * 4)];
    fillSlots();
  }

  private void fillSlots() {
    for (int directory = 0; directory < directories.length; directory++) {
      boolean isLast = directory == directories.length - 1;
      int end = isLast ? sizes.size() : directoryStarts[directory + 1];
      int hashOfDirectory = directories[directory].hashCode();
      for (int ordinal = directoryStarts[directory]; ordinal < end; ordinal++) {
        int hash = hash(hashOfDirectory, directory, ordinal);
        int slot = slot(hash);
        while (slots[slot] != 0) {
          slot = next(slot);
        }
        slots[slot] = ((long) hash << Integer.SIZE) | (ordinal + 1);
      }
    }
  }

  /** {@link String#hashCode} of a path, which the paths of a listing mostly know already. */
  private int hash(int hashOfDirectory, int directory, int ordinal) {
    byte[] bytes = names.bytes();
    int hash = hashOfDirectory;
    int end = names.end(ordinal);
    for (int i = names.start(ordinal); i < end; i++) {
      if (bytes[i] < 0) {
        return (directories[directory] + name(ordinal)).hashCode();
      }
      hash = 31 * hash + bytes[i];
    }
    return hash;
  }

  private int slot(int hash) {
    return (hash * SPREAD) >>> Integer.numberOfLeadingZeros(slots.length - 1);
  }

  private int next(int slot) {
    return (slot + 1) & (slots.length - 1);
  }

  private String name(int ordinal) {
    int start = names.start(ordinal);
    return new String(names.bytes(), start, names.end(ordinal) - start, StandardCharsets.UTF_8);
  }

  /** The ordinal of the file of that path; {@link #ABSENT} if there is none. */
  int find(String path) {
    int hash = path.hashCode();
    for (int slot = slot(hash); slots[slot] != 0; slot = next(slot)) {
      int ordinal = (int) slots[slot] - 1;
      if ((int) (slots[slot] >>> Integer.SIZE) == hash && isPath(ordinal, path)) {
        return ordinal;
      }
    }
    return ABSENT;
  }

  private boolean isPath(int ordinal, String path) {
    int found = Arrays.binarySearch(directoryStarts, ordinal);
    String directory = directories[found >= 0 ? found : -found - 2];
    byte[] bytes = names.bytes();
    int start = names.start(ordinal);
    int length = names.end(ordinal) - start;
    for (int i = 0; i < length; i++) {
      if (bytes[start + i] < 0) {
        return path.equals(directory + name(ordinal));
      }
      int position = directory.length() + i;
      if (position >= path.length() || path.charAt(position) != bytes[start + i]) {
        return false;
      }
    }
    return path.length() == directory.length() + length && path.startsWith(directory);
  }

  /**
   * Whether both have the same files with the same ordinals, so that one can stand for the other.
   */
  boolean sameAs(FileTable other) {
    return names.sameAs(other.names)
        && Arrays.equals(directories, other.directories)
        && Arrays.equals(directoryStarts, other.directoryStarts)
        && sizes.sameAs(other.sizes)
        && rows.sameAs(other.rows);
  }

  /** Number of files. */
  int count() {
    return sizes.size();
  }

  /** Length of a file in bytes, as it was when its statistics were read. */
  long size(int ordinal) {
    return sizes.get(ordinal);
  }

  /** Rows of a file. */
  long rows(int ordinal) {
    return rows.get(ordinal);
  }

  /** How much memory this takes, in bytes, about. */
  long weight() {
    long ofDirectories = 0;
    for (String directory : directories) {
      ofDirectories += 64 + directory.length();
    }
    return 64L
        + names.weight()
        + ofDirectories
        + sizes.weight()
        + rows.weight()
        + 8L * slots.length;
  }

  /** Collects files in the order of their ordinals. */
  static final class Builder {
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
    Builder(int files) {
      names = new PackedBytes.Builder(files);
      sizes = new long[files];
      rows = new long[files];
    }

    /** Adds all rows of a row group. */
    void add(RowGroupFields fields) throws IOException {
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
      Binary[] partitions = fields.field(StatisticsField.PARTITION).repeated(added);
      for (int i = 0; i < added; i++) {
        if (!partitions[i].equals(lastPartition)) {
          lastPartition = partitions[i];
          String partition = lastPartition.toStringUsingUTF8();
          directories.add(partition.isEmpty() ? "" : partition + "/");
          directoryStarts.add(count + i);
        }
      }
      fields.field(StatisticsField.FILE_NAME).requiredBytes(added, names);
      copy(fields.field(StatisticsField.FILE_SIZE).requiredCounts(added), sizes);
      copy(fields.field(StatisticsField.VALUE_COUNT).requiredCounts(added), rows);
      count += added;
    }

    private void copy(long[] from, long[] to) {
      System.arraycopy(from, 0, to, count, from.length);
    }

    /**
     * The table of all files.
     *
     * @throws IOException when some are missing
     */
    FileTable build() throws IOException {
      if (count != sizes.length) {
        throw new IOException("there are " + count + " files and not " + sizes.length);
      }
      return new FileTable(
          names.build(),
          directories.toArray(new String[0]),
          directoryStarts.stream().mapToInt(Integer::intValue).toArray(),
          Counts.of(sizes),
          Counts.of(rows));
    }
  }
}
