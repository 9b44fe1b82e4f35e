// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.index.files;

import io.hudiskip.index.BaseFile;
import java.util.List;

/** The files of a listing, in its order. */
public final class ListedFiles implements PlacedFiles {
  private final List<BaseFile> listing;

  public ListedFiles(List<BaseFile> listing) {
    this.listing = listing;
  }

  @Override
  public int count() {
    return listing.size();
  }

  @Override
  public Placement placement(FileTable table) {
    int[] ordinals = new int[listing.size()];
    FileTable.Search search = table.search();
    for (int i = 0; i < ordinals.length; i++) {
      ordinals[i] = search.find(listing.get(i).relativePath());
    }
    return new Placement(table, ordinals, i -> listing.get(i).size());
  }
}
