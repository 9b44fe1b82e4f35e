/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.table;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hudi.common.model.FileSlice;

/** The base files of a listing, without their logs: the rows of the last compaction. */
final class ReadOptimizedListing implements SliceListing {
  private final SliceListing listing;

  ReadOptimizedListing(SliceListing listing) {
    this.listing = listing;
  }

  @Override
  public List<String> partitions() throws IOException {
    return listing.partitions();
  }

  @Override
  public List<FileSlice> slices(List<String> partitions) throws IOException {
    List<FileSlice> slices = new ArrayList<>();
    for (FileSlice slice : listing.slices(partitions)) {
      if (slice.getBaseFile().isPresent()) {
        FileSlice base = new FileSlice(slice.getFileGroupId(), slice.getBaseInstantTime());
        base.setBaseFile(slice.getBaseFile().get());
        slices.add(base);
      }
    }
    return slices;
  }

  @Override
  public void close() throws IOException {
    listing.close();
  }
}
