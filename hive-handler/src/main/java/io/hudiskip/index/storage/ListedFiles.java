/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.index.storage;

import io.hudiskip.index.BaseFile;
import java.util.IdentityHashMap;
import java.util.List;

/** The files of a listing, in its order. */
final class ListedFiles implements PlacedFiles {
  private final int count;
  private final IdentityHashMap<FileTable, Placement> placements = new IdentityHashMap<>();

  ListedFiles(List<FileTable> tables, List<BaseFile> listing) {
    count = listing.size();
    for (FileTable table : tables) {
      placements.computeIfAbsent(table, first -> placed(first, listing));
    }
  }

  private static Placement placed(FileTable table, List<BaseFile> listing) {
    int[] ordinals = new int[listing.size()];
    boolean[] isSameSize = new boolean[listing.size()];
    FileTable.Search search = table.search();
    for (int i = 0; i < ordinals.length; i++) {
      BaseFile file = listing.get(i);
      ordinals[i] = search.find(file.relativePath());
      isSameSize[i] = ordinals[i] != FileTable.ABSENT && table.size(ordinals[i]) == file.size();
    }
    return new Placement(table, ordinals, isSameSize);
  }

  @Override
  public int count() {
    return count;
  }

  @Override
  public Placement placement(FileTable table) {
    return placements.get(table);
  }
}
