/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.scan;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.FileSplit;
import org.apache.hadoop.mapred.Reporter;

/**
 * The first split of a scan, which also carries what the listing found. Counters can only be
 * counted where splits are read: Hive gives an input format none where it lists.
 */
public final class CountedSplit extends FileSplit {
  private static final String GROUP = "hudi-skip";

  private long files;
  private long kept;
  private long bytes;
  private long keptBytes;

  /** Used by Hadoop, by reflection, before {@link #readFields}. */
  public CountedSplit() {
    super((Path) null, 0, 0, (String[]) null);
  }

  /**
   * A split with the counts of its scan.
   *
   * @param listing the files of the table
   * @param kept those that the filter can match
   */
  CountedSplit(FileSplit split, List<FileStatus> listing, List<FileStatus> kept)
      throws IOException {
    super(split.getPath(), split.getStart(), split.getLength(), split.getLocations());
    this.files = listing.size();
    this.kept = kept.size();
    this.bytes = ScanLog.bytes(listing);
    this.keptBytes = ScanLog.bytes(kept);
  }

  /** Counts the scan, in the names of the fields of {@link ScanLog}. */
  public void count(Reporter reporter) {
    reporter.incrCounter(GROUP, "scan.files", files);
    reporter.incrCounter(GROUP, "scan.kept", kept);
    reporter.incrCounter(GROUP, "scan.bytes", bytes);
    reporter.incrCounter(GROUP, "scan.kept_bytes", keptBytes);
  }

  @Override
  public void write(DataOutput out) throws IOException {
    super.write(out);
    out.writeLong(files);
    out.writeLong(kept);
    out.writeLong(bytes);
    out.writeLong(keptBytes);
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    super.readFields(in);
    files = in.readLong();
    kept = in.readLong();
    bytes = in.readLong();
    keptBytes = in.readLong();
  }
}
