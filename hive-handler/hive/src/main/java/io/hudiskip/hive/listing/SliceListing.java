// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.listing;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import org.apache.hudi.common.model.FileSlice;

/**
 * Lists what a query reads of a table in two steps, so that partitions can be skipped before their
 * files are listed. Serves one thread.
 */
public interface SliceListing extends Closeable {

  /**
   * The partitions that may have rows for the query, relative to the table's root; only the empty
   * path for an unpartitioned table.
   */
  List<String> partitions() throws IOException;

  /** The file slices of some {@link #partitions}, each file group once. */
  List<FileSlice> slices(List<String> partitions) throws IOException;
}
