// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.index.files;

import io.hudiskip.index.BaseFile;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * All files that several tables know, each path and size once, followed by one unknown file that
 * stands for every listed file without statistics. Immutable and small: positions start with the
 * ordinals of the largest table, which usually has nearly all files.
 */
public final class KnownFiles implements PlacedFiles {

  private final List<FileTable> tables;

  /** For each of {@link #tables} but the first, by ordinal, the first position with that path. */
  private final List<int[]> positions = new ArrayList<>();

  /** Sizes of the files that the first table lacks or knows with another size; the rest is room. */
  private long[] sizes = {};

  private int added;

  /** Further sizes of a position's path, with positions of their own. */
  private final Map<Integer, Map<Long, Integer>> otherSizes = new HashMap<>();

  /** Equal tables in {@code given} must be the same object. */
  public KnownFiles(List<FileTable> given) {
    tables =
        given.stream()
            .distinct()
            .sorted(Comparator.comparingInt(FileTable::count).reversed())
            .collect(Collectors.toList());
    tables.stream().skip(1).forEach(this::number);
  }

  /** Assigns the next positions to the paths and sizes that no earlier table has. */
  private void number(FileTable table) {
    int[] of = new int[table.count()];
    List<FileTable.Search> searches = searches(positions.size() + 1);
    for (int ordinal = 0; ordinal < of.length; ordinal++) {
      long size = table.size(ordinal);
      of[ordinal] = position(searches, table.path(ordinal));
      if (of[ordinal] < 0) {
        of[ordinal] = add(size);
      } else if (size != size(of[ordinal])) {
        otherSizes
            .computeIfAbsent(of[ordinal], first -> new HashMap<>())
            .computeIfAbsent(size, this::add);
      }
    }
    positions.add(of);
  }

  private int add(long size) {
    if (added == sizes.length) {
      sizes = Arrays.copyOf(sizes, 2 * added + 1);
    }
    sizes[added] = size;
    return largest() + added++;
  }

  private int largest() {
    return tables.isEmpty() ? 0 : tables.get(0).count();
  }

  private long size(int position) {
    return position < largest() ? tables.get(0).size(position) : sizes[position - largest()];
  }

  private int unknown() {
    return largest() + added;
  }

  private int position(int table, int ordinal) {
    return table == 0 ? ordinal : positions.get(table - 1)[ordinal];
  }

  private List<FileTable.Search> searches(int count) {
    List<FileTable.Search> searches = new ArrayList<>();
    for (FileTable table : tables.subList(0, count)) {
      searches.add(table.search());
    }
    return searches;
  }

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
    Arrays.fill(ordinals, FileTable.ABSENT);
    int number = tables.indexOf(table);
    for (int ordinal = 0; ordinal < table.count(); ordinal++) {
      ordinals[position(number, ordinal)] = ordinal;
    }
    otherSizes.forEach(
        (first, others) ->
            others.values().forEach(position -> ordinals[position] = ordinals[first]));
    return new Placement(table, ordinals, this::size);
  }

  /**
   * Maps kept positions to a listing.
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
                int number = tables.indexOf(table);
                if (number < 0) {
                  addByPath(listing, start, start + ordinals.length, kept, read);
                } else {
                  addFromTable(number, start, ordinals, kept, read);
                }
              });
    } else {
      addByPath(listing, 0, listing.size(), kept, read);
    }
    return read;
  }

  /** Sets the bits of a part of a listing that comes from one table. */
  private void addFromTable(int number, int start, int[] ordinals, BitSet kept, BitSet read) {
    FileTable table = tables.get(number);
    for (int i = 0; i < ordinals.length; i++) {
      int first = position(number, ordinals[i]);
      // Positions of the largest table imply its own sizes.
      int position = number == 0 ? first : ofSize(first, table.size(ordinals[i]));
      if (kept.get(position)) {
        read.set(start + i);
      }
    }
  }

  private int ofSize(int first, long size) {
    return size(first) == size
        ? first
        : otherSizes.getOrDefault(first, Collections.emptyMap()).getOrDefault(size, unknown());
  }

  /** Sets the bits of a part of a listing that must be looked up by path. */
  private void addByPath(List<BaseFile> listing, int start, int end, BitSet kept, BitSet read) {
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
