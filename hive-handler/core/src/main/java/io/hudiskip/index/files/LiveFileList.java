// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.index.files;

import io.hudiskip.index.BaseFile;
import io.hudiskip.index.StatisticsIndex;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.RandomAccess;

/**
 * The files listed in several {@link FileTable}s that the Hudi table still has. Holds only ordinals
 * and creates elements on access, since Hudi tables have millions of files. Immutable.
 */
public final class LiveFileList extends AbstractList<BaseFile> implements RandomAccess {
  private final List<FileTable> tables;

  /** For each of {@link #tables}, the ordinals of files that no later table has. */
  private final List<int[]> ordinals = new ArrayList<>();

  private final int[] starts;

  private final int count;
  private final long bytes;

  /**
   * {@code given} is in manifest order: the last row for a path wins, and size 0 means that the
   * file is gone.
   */
  public LiveFileList(List<FileTable> given) {
    tables = new ArrayList<>(given);
    starts = new int[tables.size()];
    int files = 0;
    long total = 0;
    for (int i = 0; i < tables.size(); i++) {
      starts[i] = files;
      int[] live = live(i);
      ordinals.add(live);
      files += live.length;
      for (int ordinal : live) {
        total += tables.get(i).size(ordinal);
      }
    }
    count = files;
    bytes = total;
  }

  private int[] live(int number) {
    FileTable table = tables.get(number);
    BitSet replaced = new BitSet(table.count());
    for (FileTable later : tables.subList(number + 1, tables.size())) {
      FileTable.Search search = table.search();
      for (int ordinal = 0; ordinal < later.count(); ordinal++) {
        int found = search.find(later.path(ordinal));
        if (found != FileTable.ABSENT) {
          replaced.set(found);
        }
      }
    }
    int[] live = new int[table.count()];
    int found = 0;
    for (int ordinal = 0; ordinal < table.count(); ordinal++) {
      if (!replaced.get(ordinal) && table.size(ordinal) > 0) {
        live[found++] = ordinal;
      }
    }
    return Arrays.copyOf(live, found);
  }

  @Override
  public BaseFile get(int position) {
    if (position < 0 || position >= count) {
      throw new IndexOutOfBoundsException("position " + position + " in a list of " + count);
    }
    int number = tables.size() - 1;
    while (starts[number] > position) {
      number--;
    }
    FileTable table = tables.get(number);
    int ordinal = ordinals.get(number)[position - starts[number]];
    return new BaseFile(table.path(ordinal), table.size(ordinal));
  }

  @Override
  public int size() {
    return count;
  }

  /**
   * The files of a listing that are in none of the tables, judging by path and size.
   *
   * @return by position in the listing
   */
  public BitSet missing(List<BaseFile> listing) {
    BitSet missing = new BitSet(listing.size());
    if (listing == this) {
      return missing;
    }
    missing.set(0, listing.size());
    ListedFiles listed = new ListedFiles(listing);
    for (FileTable table : tables) {
      Placement placement = listed.placement(table);
      for (int i = missing.nextSetBit(0); i >= 0; i = missing.nextSetBit(i + 1)) {
        if (placement.isSameSize(i)) {
          missing.clear(i);
        }
      }
    }
    return missing;
  }

  /**
   * The number of rows in each file of a listing, judging by path and size.
   *
   * @return by position in the listing; {@link StatisticsIndex#UNKNOWN_ROWS} also for 0, which
   *     stands for files that could not be read as well
   */
  public long[] rows(List<BaseFile> listing) {
    long[] rows = new long[listing.size()];
    Arrays.fill(rows, StatisticsIndex.UNKNOWN_ROWS);
    ListedFiles listed = new ListedFiles(listing);
    for (FileTable table : tables) {
      Placement placement = listed.placement(table);
      for (int i = 0; i < rows.length; i++) {
        if (placement.isPresent(i)) { // the last row for a path wins, whatever its size
          long known = placement.isSameSize(i) ? table.rows(placement.ordinal(i)) : 0;
          rows[i] = known > 0 ? known : StatisticsIndex.UNKNOWN_ROWS;
        }
      }
    }
    return rows;
  }

  /** Visits each table with the position of its first file and its files' ordinals. */
  void forEachTable(PartOfList action) {
    for (int i = 0; i < starts.length; i++) {
      action.accept(tables.get(i), starts[i], ordinals.get(i));
    }
  }

  /** Adjacent files of one table. */
  interface PartOfList {
    /** {@code ordinals} are ascending and must not be changed. */
    void accept(FileTable table, int start, int[] ordinals);
  }

  /** Total length in bytes. */
  public long bytes() {
    return bytes;
  }

  /** Approximate memory in bytes without the tables. */
  public long weight() {
    return 128L + 4L * count;
  }
}
