/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.index.files;

import io.hudiskip.index.BaseFile;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * All files that some tables know, each path and size once, and last a file that none of them
 * knows: it stands for every file of a listing of which there are no statistics. Immutable, and
 * small: of the largest table, which mostly has nearly all files, the ordinals are the first
 * positions.
 */
public final class KnownFiles implements PlacedFiles {

  /** The largest comes first. */
  private final List<FileTable> tables;

  /** Of each of {@link #tables} but the first, by ordinal, the first position with that path. */
  private final List<int[]> positions = new ArrayList<>();

  /** Of the files that the first table does not know, or knows with another size. */
  private long[] sizes = {};

  /** Further sizes under which tables know the path of a position, with positions of their own. */
  private final Map<Integer, Map<Long, Integer>> otherSizes = new HashMap<>();

  /**
   * @param given the tables; equal ones are the same object
   */
  public KnownFiles(List<FileTable> given) {
    IdentityHashMap<FileTable, Boolean> distinct = new IdentityHashMap<>();
    given.forEach(table -> distinct.put(table, true));
    tables = new ArrayList<>(distinct.keySet());
    tables.sort(Comparator.comparingInt(FileTable::count).reversed());
    tables.stream().skip(1).forEach(this::number);
    addOtherSizes();
  }

  /** Gives the paths of a table that no table before has the next positions. */
  private void number(FileTable table) {
    int[] of = new int[table.count()];
    int known = sizes.length;
    sizes = Arrays.copyOf(sizes, known + of.length);
    List<FileTable.Search> searches = searches(positions.size() + 1);
    for (int ordinal = 0; ordinal < of.length; ordinal++) {
      of[ordinal] = position(searches, table.path(ordinal));
      if (of[ordinal] < 0) {
        of[ordinal] = largest() + known;
        sizes[known++] = table.size(ordinal);
      }
    }
    sizes = Arrays.copyOf(sizes, known);
    positions.add(of);
  }

  private void addOtherSizes() {
    List<Long> added = new ArrayList<>();
    for (int i = 0; i < positions.size(); i++) {
      int[] of = positions.get(i);
      for (int ordinal = 0; ordinal < of.length; ordinal++) {
        long size = tables.get(i + 1).size(ordinal);
        if (size != size(of[ordinal])) {
          otherSizes
              .computeIfAbsent(of[ordinal], first -> new HashMap<>())
              .computeIfAbsent(
                  size,
                  other -> {
                    added.add(other);
                    return unknown() + added.size() - 1;
                  });
        }
      }
    }
    int next = sizes.length;
    sizes = Arrays.copyOf(sizes, next + added.size());
    for (long size : added) {
      sizes[next++] = size;
    }
  }

  /** Number of files of the first table. */
  private int largest() {
    return tables.isEmpty() ? 0 : tables.get(0).count();
  }

  private long size(int position) {
    return position < largest() ? tables.get(0).size(position) : sizes[position - largest()];
  }

  /** Position of the file that no table knows. */
  private int unknown() {
    return largest() + sizes.length;
  }

  private int position(int table, int ordinal) {
    return table == 0 ? ordinal : positions.get(table - 1)[ordinal];
  }

  private List<FileTable.Search> searches(int ofTables) {
    List<FileTable.Search> searches = new ArrayList<>();
    for (FileTable table : tables.subList(0, ofTables)) {
      searches.add(table.search());
    }
    return searches;
  }

  /** The first position of a path; negative if no table knows it. */
  private int position(List<FileTable.Search> searches, String path) {
    for (int table = 0; table < searches.size(); table++) {
      int ordinal = searches.get(table).find(path);
      if (ordinal != FileTable.ABSENT) {
        return position(table, ordinal);
      }
    }
    return -1;
  }

  @Override
  public int count() {
    return unknown() + 1;
  }

  @Override
  public Placement placement(FileTable table) {
    int[] ordinals = new int[count()];
    boolean[] isSameSize = new boolean[count()];
    Arrays.fill(ordinals, FileTable.ABSENT);
    int number = tables.indexOf(table);
    for (int ordinal = 0; ordinal < table.count(); ordinal++) {
      ordinals[position(number, ordinal)] = ordinal;
    }
    otherSizes.forEach(
        (first, others) ->
            others.values().forEach(position -> ordinals[position] = ordinals[first]));
    for (int position = 0; position < unknown(); position++) {
      int ordinal = ordinals[position];
      isSameSize[position] = ordinal != FileTable.ABSENT && table.size(ordinal) == size(position);
    }
    return new Placement(table, ordinals, isSameSize);
  }

  /**
   * The files of a listing that are kept.
   *
   * @param kept by position here
   * @return by position in the listing
   */
  public BitSet keeps(List<BaseFile> listing, BitSet kept) {
    BitSet read = new BitSet(listing.size());
    if (listing instanceof LiveFileList) {
      ((LiveFileList) listing)
          .forEachTable(
              (table, start, ordinals) -> {
                int number = indexOf(table);
                if (number < 0) {
                  find(listing, start, start + ordinals.length, kept, read);
                } else {
                  take(number, start, ordinals, kept, read);
                }
              });
    } else {
      find(listing, 0, listing.size(), kept, read);
    }
    return read;
  }

  /** Sets those that are kept of a part of a listing, which are files of one table. */
  private void take(int number, int start, int[] ordinals, BitSet kept, BitSet read) {
    FileTable table = tables.get(number);
    for (int i = 0; i < ordinals.length; i++) {
      int first = position(number, ordinals[i]);
      // Positions of the largest table are those of its own sizes.
      int position = number == 0 ? first : ofSize(first, table.size(ordinals[i]));
      if (kept.get(position)) {
        read.set(start + i);
      }
    }
  }

  /** The number of a table that this was made of; negative if it was not. */
  private int indexOf(FileTable table) {
    for (int number = 0; number < tables.size(); number++) {
      if (tables.get(number) == table) {
        return number;
      }
    }
    return -1;
  }

  /** Position of the file of that path and size. */
  private int ofSize(int first, long size) {
    return size(first) == size
        ? first
        : otherSizes.getOrDefault(first, Collections.emptyMap()).getOrDefault(size, unknown());
  }

  /** Sets those that are kept of a part of a listing, which are looked up by their paths. */
  private void find(List<BaseFile> listing, int start, int end, BitSet kept, BitSet read) {
    List<FileTable.Search> searches = searches(tables.size());
    for (int i = start; i < end; i++) {
      BaseFile file = listing.get(i);
      int first = position(searches, file.relativePath());
      if (kept.get(first < 0 ? unknown() : ofSize(first, file.size()))) {
        read.set(i);
      }
    }
  }
}
