/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.scan;

import io.hudiskip.hive.table.TableTotals;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Collections;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.FileSplit;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hudi.common.model.FileSlice;
import org.apache.hudi.common.model.HoodieBaseFile;
import org.apache.hudi.common.model.HoodieFileGroupId;
import org.apache.hudi.hadoop.fs.HadoopFSUtils;
import org.apache.hudi.storage.StoragePathInfo;

/**
 * A part of a base file, with the file slice that it belongs to and the root of the table, so that
 * no reader has to look for them.
 *
 * <p>The first split of a scan also carries what the listing found. Counters can only be counted
 * where splits are read: Hive gives an input format none where it lists.
 */
public final class SliceSplit extends FileSplit {
  private static final String GROUP = "hudi-skip";

  private String table = "";
  private String partition = "";
  private String fileId = "";
  private String instant = "";
  private long baseFileSize;

  private boolean isCounted;
  private long files;
  private long kept;
  private long bytes;
  private long keptBytes;

  /** Used by Hadoop, by reflection, before {@link #readFields}. */
  public SliceSplit() {
    super((Path) null, 0, 0, (String[]) null);
  }

  /**
   * A part of a slice's base file.
   *
   * @param table root directory of the table
   */
  SliceSplit(FileSplit part, Path table, FileSlice slice) throws IOException {
    super(part.getPath(), part.getStart(), part.getLength(), part.getLocations());
    this.table = table.toString();
    this.partition = slice.getPartitionPath();
    this.fileId = slice.getFileId();
    this.instant = slice.getBaseInstantTime();
    this.baseFileSize = slice.getBaseFile().get().getFileSize();
  }

  /**
   * Has {@link #count} count the scans of a job.
   *
   * @param all the file slices of the tables
   * @param matching those that the filters can match
   */
  void carry(TableTotals all, TableTotals matching) {
    isCounted = true;
    files = all.files();
    kept = matching.files();
    bytes = all.bytes();
    keptBytes = matching.bytes();
  }

  /** Counts what the listing found, in the names of the fields of {@link ScanLog}. */
  public void count(Reporter reporter) {
    if (isCounted) {
      reporter.incrCounter(GROUP, "scan.files", files);
      reporter.incrCounter(GROUP, "scan.kept", kept);
      reporter.incrCounter(GROUP, "scan.bytes", bytes);
      reporter.incrCounter(GROUP, "scan.kept_bytes", keptBytes);
    }
  }

  /** Root directory of the table. */
  Path table() {
    return new Path(table);
  }

  /** The slice of whose base file this is a part. */
  public FileSlice slice() {
    HoodieBaseFile baseFile =
        new HoodieBaseFile(
            new StoragePathInfo(
                HadoopFSUtils.convertToStoragePath(getPath()),
                baseFileSize,
                false,
                (short) 0,
                0,
                0));
    return new FileSlice(
        new HoodieFileGroupId(partition, fileId), instant, baseFile, Collections.emptyList());
  }

  @Override
  public void write(DataOutput out) throws IOException {
    super.write(out);
    Text.writeString(out, table);
    Text.writeString(out, partition);
    Text.writeString(out, fileId);
    Text.writeString(out, instant);
    out.writeLong(baseFileSize);
    out.writeBoolean(isCounted);
    if (isCounted) {
      out.writeLong(files);
      out.writeLong(kept);
      out.writeLong(bytes);
      out.writeLong(keptBytes);
    }
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    super.readFields(in);
    table = Text.readString(in);
    partition = Text.readString(in);
    fileId = Text.readString(in);
    instant = Text.readString(in);
    baseFileSize = in.readLong();
    isCounted = in.readBoolean();
    if (isCounted) {
      files = in.readLong();
      kept = in.readLong();
      bytes = in.readLong();
      keptBytes = in.readLong();
    }
  }
}
