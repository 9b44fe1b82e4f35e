/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.read;

import io.hudiskip.hive.scan.SliceSplit;
import java.io.IOException;
import org.apache.hadoop.mapred.FileSplit;
import org.apache.hadoop.mapred.JobConf;

/** The base file of a slice that is merged, read by Hive's readers: most rows are as they were. */
final class BaseOfSlice {
  private BaseOfSlice() {}

  /** Whether a slice has one. */
  static boolean isIn(SliceSplit slice) {
    return slice.slice().getBaseFile().isPresent();
  }

  /** The whole base file. */
  static FileSplit split(SliceSplit slice) throws IOException {
    long size = slice.slice().getBaseFile().get().getFileSize();
    return new FileSplit(slice.getPath(), 0, size, slice.getLocations());
  }

  /** The configuration for its reader: a row that the query's filter excludes may be updated. */
  static JobConf job(JobConf job) {
    JobConf unfiltered = new JobConf(job);
    RowGroupFilter.disable(unfiltered);
    return unfiltered;
  }
}
