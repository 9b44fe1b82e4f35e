/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.listing;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import org.apache.hudi.common.model.FileSlice;

/**
 * Lists what a query of one {@link io.hudiskip.hive.table.QueryMode} reads of a table, in two
 * steps, so that partitions can be left out before their files are listed. Serves one thread.
 */
public interface SliceListing extends Closeable {

  /**
   * The partitions that can have rows for the query, as paths below the table's root; the empty
   * path alone for a table without partitions.
   */
  List<String> partitions() throws IOException;

  /**
   * The file slices with the rows of some partitions, no file group twice.
   *
   * @param partitions among {@link #partitions}
   */
  List<FileSlice> slices(List<String> partitions) throws IOException;
}
