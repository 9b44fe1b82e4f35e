/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.index.storage;

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
 * knows: it stands for every file of a listing of which there are no statistics. Immutable.
 */
final class KnownFiles implements PlacedFiles {

  /** The largest comes first: its ordinals are the first positions, and no path is looked for. */
  private final List<FileTable> tables;

  /** Of each of {@link #tables}, by ordinal, the position of the first file with that path. */
  private final List<int[]> positions = new ArrayList<>();

  /** By position. */
  private long[] sizes = {};

  /** Further sizes under which tables know the path of a position, with positions of their own. */
  private final Map<Integer, Map<Long, Integer>> otherSizes = new HashMap<>();

  private final IdentityHashMap<FileTable, Placement> placements = new IdentityHashMap<>();

  /**
   * @param given the tables; equal ones are the same object
   */
  KnownFiles(List<FileTable> given) {
    IdentityHashMap<FileTable, Boolean> distinct = new IdentityHashMap<>();
    given.forEach(table -> distinct.put(table, true));
    tables = new ArrayList<>(distinct.keySet());
    tables.sort(Comparator.comparingInt(FileTable::count).reversed());
    tables.forEach(this::number);
    addOtherSizes();
    for (int i = 0; i < tables.size(); i++) {
      placements.put(tables.get(i), placed(tables.get(i), positions.get(i)));
    }
  }

  /** Gives the paths of a table that no table before has the next positions. */
  private void number(FileTable table) {
    int[] of = new int[table.count()];
    int next = sizes.length;
    sizes = Arrays.copyOf(sizes, next + of.length);
    List<FileTable.Search> searches = searches();
    for (int ordinal = 0; ordinal < of.length; ordinal++) {
      int known = searches.isEmpty() ? -1 : position(searches, table.path(ordinal));
      of[ordinal] = known < 0 ? next : known;
      if (known < 0) {
        sizes[next++] = table.size(ordinal);
      }
    }
    sizes = Arrays.copyOf(sizes, next);
    positions.add(of);
  }

  private void addOtherSizes() {
    List<Long> others = new ArrayList<>();
    for (int i = 0; i < tables.size(); i++) {
      int[] of = positions.get(i);
      for (int ordinal = 0; ordinal < of.length; ordinal++) {
        long size = tables.get(i).size(ordinal);
        if (size != sizes[of[ordinal]]) {
          otherSizes
              .computeIfAbsent(of[ordinal], first -> new HashMap<>())
              .computeIfAbsent(
                  size,
                  first -> {
                    others.add(size);
                    return sizes.length + others.size() - 1;
                  });
        }
      }
    }
    int next = sizes.length;
    sizes = Arrays.copyOf(sizes, next + others.size());
    for (long size : others) {
      sizes[next++] = size;
    }
  }

  private Placement placed(FileTable table, int[] of) {
    int[] ordinals = new int[count()];
    boolean[] isSameSize = new boolean[count()];
    Arrays.fill(ordinals, FileTable.ABSENT);
    for (int ordinal = 0; ordinal < of.length; ordinal++) {
      ordinals[of[ordinal]] = ordinal;
    }
    otherSizes.forEach(
        (first, others) ->
            others.values().forEach(position -> ordinals[position] = ordinals[first]));
    for (int position = 0; position < sizes.length; position++) {
      int ordinal = ordinals[position];
      isSameSize[position] = ordinal != FileTable.ABSENT && table.size(ordinal) == sizes[position];
    }
    return new Placement(table, ordinals, isSameSize);
  }

  private List<FileTable.Search> searches() {
    List<FileTable.Search> searches = new ArrayList<>();
    for (FileTable table : tables.subList(0, positions.size())) {
      searches.add(table.search());
    }
    return searches;
  }

  /** The position of the first file of that path; negative if no table knows it. */
  private int position(List<FileTable.Search> searches, String path) {
    for (int i = 0; i < searches.size(); i++) {
      int ordinal = searches.get(i).find(path);
      if (ordinal != FileTable.ABSENT) {
        return positions.get(i)[ordinal];
      }
    }
    return -1;
  }

  @Override
  public int count() {
    return sizes.length + 1;
  }

  @Override
  public Placement placement(FileTable table) {
    return placements.get(table);
  }

  /**
   * The files of a listing that are kept.
   *
   * @param kept by position here
   * @return by position in the listing
   */
  BitSet keeps(List<BaseFile> listing, BitSet kept) {
    List<FileTable.Search> searches = searches();
    BitSet read = new BitSet(listing.size());
    for (int i = 0; i < listing.size(); i++) {
      BaseFile file = listing.get(i);
      int position = position(searches, file.relativePath());
      if (position >= 0 && sizes[position] != file.size()) {
        position =
            otherSizes.getOrDefault(position, Collections.emptyMap()).getOrDefault(file.size(), -1);
      }
      read.set(i, kept.get(position < 0 ? sizes.length : position));
    }
    return read;
  }
}
