// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan;

import java.util.IdentityHashMap;
import java.util.List;
import org.apache.hadoop.io.Writable;
import org.apache.hudi.common.model.FileSlice;

/**
 * What reads less of a scan than the files that its filter leaves. Stateless. Its methods never
 * throw: what is not certain is read.
 */
public interface Saving {
  /** Those of the slices that a scan keeps which need not be opened. */
  default CoveredFiles covered(TableScan scan, List<FileSlice> kept) {
    return CoveredFiles.NONE;
  }

  /**
   * What the splits of slices that are opened tell their readers.
   *
   * @return without slices for which there is nothing to tell
   */
  default IdentityHashMap<FileSlice, Writable> told(TableScan scan, List<FileSlice> opened) {
    return new IdentityHashMap<>();
  }
}
