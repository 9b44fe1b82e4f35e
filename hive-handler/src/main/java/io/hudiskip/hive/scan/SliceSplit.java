/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.scan;

import io.hudiskip.hive.mode.ReadState;
import io.hudiskip.hive.table.TableTotals;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.FileSplit;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hudi.common.model.FileSlice;
import org.apache.hudi.common.model.HoodieBaseFile;
import org.apache.hudi.common.model.HoodieFileGroupId;
import org.apache.hudi.common.model.HoodieLogFile;
import org.apache.hudi.storage.StoragePath;
import org.apache.hudi.storage.StoragePathInfo;

/**
 * A part of a base file, or a whole file slice whose rows Hudi has to put together, with the root
 * of the table, so that no reader has to look for anything.
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
  private String baseFile = "";
  private long baseFileSize;
  private List<String> logFiles = new ArrayList<>();
  private List<Long> logFileSizes = new ArrayList<>();
  private boolean isMerged;
  private String until = "";
  private List<String> commits = new ArrayList<>();
  private boolean isIncremental;

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
   * A part of the base file of a slice without logs.
   *
   * @param table root directory of the table
   */
  SliceSplit(FileSplit part, Path table, FileSlice slice) throws IOException {
    super(part.getPath(), part.getStart(), part.getLength(), part.getLocations());
    describe(table, slice);
  }

  /**
   * A whole slice, which cannot be split: any record of the base file may be in any log.
   *
   * @param shown the file that stands for the slice ({@code INPUT__FILE__NAME})
   * @param hosts that have it
   * @param table root directory of the table
   * @param state which records of it are read
   */
  SliceSplit(Path shown, String[] hosts, Path table, FileSlice slice, ReadState state) {
    super(shown, 0, slice.getTotalFileSize(), hosts);
    describe(table, slice);
    isMerged = true;
    until = state.instant();
    isIncremental = state.commits().isPresent();
    commits.addAll(state.commits().orElse(Collections.emptySet()));
  }

  private void describe(Path root, FileSlice slice) {
    table = root.toString();
    partition = slice.getPartitionPath();
    fileId = slice.getFileId();
    instant = slice.getBaseInstantTime();
    if (slice.getBaseFile().isPresent()) {
      baseFile = slice.getBaseFile().get().getPath();
      baseFileSize = slice.getBaseFile().get().getFileSize();
    }
    slice
        .getLogFiles()
        .forEach(
            log -> {
              logFiles.add(log.getPath().toString());
              logFileSizes.add(log.getFileSize());
            });
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
  public Path table() {
    return new Path(table);
  }

  /** Whether Hudi has to put the rows together; else they are those of the base file. */
  public boolean isMerged() {
    return isMerged;
  }

  /** Which records of a slice that {@link #isMerged} are read. */
  public ReadState state() {
    return isIncremental
        ? ReadState.ofCommits(until, new LinkedHashSet<>(commits))
        : ReadState.until(until);
  }

  /** The slice, or the one of whose base file this is a part. */
  public FileSlice slice() {
    FileSlice slice = new FileSlice(new HoodieFileGroupId(partition, fileId), instant);
    if (!baseFile.isEmpty()) {
      slice.setBaseFile(new HoodieBaseFile(info(baseFile, baseFileSize)));
    }
    for (int i = 0; i < logFiles.size(); i++) {
      slice.addLogFile(new HoodieLogFile(info(logFiles.get(i), logFileSizes.get(i))));
    }
    return slice;
  }

  private static StoragePathInfo info(String path, long size) {
    return new StoragePathInfo(new StoragePath(path), size, false, (short) 0, 0, 0);
  }

  @Override
  public void write(DataOutput out) throws IOException {
    super.write(out);
    Text.writeString(out, table);
    Text.writeString(out, partition);
    Text.writeString(out, fileId);
    Text.writeString(out, instant);
    Text.writeString(out, baseFile);
    out.writeLong(baseFileSize);
    out.writeInt(logFiles.size());
    for (int i = 0; i < logFiles.size(); i++) {
      Text.writeString(out, logFiles.get(i));
      out.writeLong(logFileSizes.get(i));
    }
    out.writeBoolean(isMerged);
    Text.writeString(out, until);
    out.writeBoolean(isIncremental);
    out.writeInt(commits.size());
    for (String commit : commits) {
      Text.writeString(out, commit);
    }
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
    baseFile = Text.readString(in);
    baseFileSize = in.readLong();
    logFiles = new ArrayList<>();
    logFileSizes = new ArrayList<>();
    for (int i = in.readInt(); i > 0; i--) {
      logFiles.add(Text.readString(in));
      logFileSizes.add(in.readLong());
    }
    isMerged = in.readBoolean();
    until = Text.readString(in);
    isIncremental = in.readBoolean();
    commits = new ArrayList<>();
    for (int i = in.readInt(); i > 0; i--) {
      commits.add(Text.readString(in));
    }
    isCounted = in.readBoolean();
    if (isCounted) {
      files = in.readLong();
      kept = in.readLong();
      bytes = in.readLong();
      keptBytes = in.readLong();
    }
  }
}
