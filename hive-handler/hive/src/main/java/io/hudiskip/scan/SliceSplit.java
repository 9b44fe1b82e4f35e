// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan;

import io.hudiskip.hive.metrics.JobCounters;
import io.hudiskip.scan.evolution.TimestampUnits;
import io.hudiskip.table.PartitionValues;
import io.hudiskip.table.TableTotals;
import io.hudiskip.table.state.ReadCommits;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import javax.annotation.Nullable;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.io.WritableUtils;
import org.apache.hadoop.mapred.FileSplit;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hudi.common.model.FileSlice;
import org.apache.hudi.common.model.HoodieBaseFile;
import org.apache.hudi.common.model.HoodieFileGroupId;
import org.apache.hudi.common.model.HoodieLogFile;
import org.apache.hudi.common.util.Option;
import org.apache.hudi.storage.StoragePath;
import org.apache.hudi.storage.StoragePathInfo;

/**
 * Part of a base file, or a whole slice that Hudi merges, with the table's root, so that readers
 * need no lookups.
 *
 * <p>A scan's first split also carries the listing's totals: Hive gives input formats no counters
 * where they list, only where splits are read.
 */
public final class SliceSplit extends FileSplit {
  private Path table;
  private FileSlice slice;

  /** Null unless Hudi merges the rows. */
  @Nullable private ReadCommits state;

  /** What a saving tells the task that reads the split; null if none concerns it. */
  @Nullable private Writable saving;

  private TimestampUnits timestamps = TimestampUnits.parse("");
  private Map<String, String> pathValues = Collections.emptyMap();
  private boolean mayCount;

  /** Totals of the tables' slices, and of those that are opened; or null. */
  @Nullable private TableTotals all;

  @Nullable private TableTotals matching;

  /** Totals of the slices whose rows are counted without opening them; present with the others. */
  @Nullable private TableTotals counted;

  /** Totals of the slices that the tables' indexes lack; present with the others. */
  @Nullable private TableTotals notIndexed;

  /** Called by Hadoop through reflection, before {@link #readFields}. */
  public SliceSplit() {
    super((Path) null, 0, 0, (String[]) null);
  }

  /** A part of the base file of a slice without logs, in the table with root {@code table}. */
  SliceSplit(FileSplit part, Path table, FileSlice slice) throws IOException {
    super(part.getPath(), part.getStart(), part.getLength(), part.getLocations());
    this.table = table;
    this.slice = slice;
  }

  /**
   * A whole slice, which cannot be split: any record of the base file may be in any log.
   *
   * @param shown the file that represents the slice ({@code INPUT__FILE__NAME})
   */
  SliceSplit(Path shown, String[] hosts, Path table, FileSlice slice, ReadCommits state) {
    super(shown, 0, slice.getTotalFileSize(), hosts);
    this.table = table;
    this.slice = slice;
    this.state = state;
  }

  /**
   * Rows of files that are not opened.
   *
   * @param shown the slice of one of them
   * @param saving what makes the rows
   */
  public SliceSplit(Path table, FileSlice shown, long rows, Writable saving) {
    super(new Path(shown.getBaseFile().get().getStoragePath().toUri()), 0, rows, new String[0]);
    this.table = table;
    this.slice = shown;
    this.saving = saving;
  }

  /** Lets tasks count; see {@link JobCounters#mayCount}. */
  void setMayCount(boolean mayCount) {
    this.mayCount = mayCount;
  }

  /** The job's counters, for the task that reads the split. */
  public JobCounters counters(JobConf task, Reporter reporter) {
    return JobCounters.of(mayCount, task, reporter);
  }

  /** Makes {@link #count} count a job's scans. */
  void setTotals(
      TableTotals all, TableTotals matching, TableTotals counted, TableTotals notIndexed) {
    this.all = all;
    this.matching = matching;
    this.counted = counted;
    this.notIndexed = notIndexed;
  }

  /** Counts the totals, under the names of {@link ScanReport}'s fields. */
  public void count(JobConf task, Reporter reporter) {
    if (all != null) {
      JobCounters counters = counters(task, reporter);
      counters.add("scan.files", all.files());
      counters.add("scan.kept", matching.files());
      counters.add("scan.covered", counted.files());
      counters.add("scan.bytes", all.bytes());
      counters.add("scan.kept_bytes", matching.bytes());
      counters.add("scan.not_indexed", notIndexed.files());
      counters.add("scan.not_indexed_bytes", notIndexed.bytes());
    }
  }

  public Path table() {
    return table;
  }

  /** Whether Hudi merges the rows; otherwise they are those of the base file. */
  public boolean isMerged() {
    return state != null;
  }

  /** Which records of a slice that {@link #isMerged} are read. */
  public ReadCommits state() {
    return state;
  }

  /** Has the split carry what a saving tells its reader, unless a saving made it; null: nothing. */
  void tell(@Nullable Writable told) {
    if (saving == null) {
      saving = told;
    }
  }

  /** What a saving, known by the type of it, tells the split's reader; empty if nothing. */
  public <T extends Writable> Optional<T> saving(Class<T> type) {
    return Optional.ofNullable(saving).filter(type::isInstance).map(type::cast);
  }

  void setTimestamps(TimestampUnits units) {
    this.timestamps = units;
  }

  /** The units of the table's timestamps when the query was planned. */
  public TimestampUnits timestamps() {
    return timestamps;
  }

  void setPathValues(Map<String, String> texts) {
    this.pathValues = Collections.unmodifiableMap(texts);
  }

  /** See {@link PartitionValues#inPlaceOfStored}; as the query was planned with. */
  public Map<String, String> pathValues() {
    return pathValues;
  }

  /** The whole base file, as it is; of a split that {@link #isMerged} and has one. */
  public SliceSplit ofBaseFile() throws IOException {
    long size = slice.getBaseFile().get().getFileSize();
    SliceSplit base =
        new SliceSplit(new FileSplit(getPath(), 0, size, getLocations()), table, slice);
    base.setPathValues(pathValues);
    return base;
  }

  /** The slice that is read, or part of whose base file is. */
  public FileSlice slice() {
    return slice;
  }

  @Override
  public void write(DataOutput out) throws IOException {
    super.write(out);
    Text.writeString(out, table.toString());
    Text.writeString(out, slice.getPartitionPath());
    Text.writeString(out, slice.getFileId());
    Text.writeString(out, slice.getBaseInstantTime());
    Option<HoodieBaseFile> base = slice.getBaseFile();
    out.writeBoolean(base.isPresent());
    if (base.isPresent()) {
      write(out, base.get().getStoragePath(), base.get().getFileSize());
    }
    List<HoodieLogFile> logs = slice.getLogFiles().collect(Collectors.toList());
    out.writeInt(logs.size());
    for (HoodieLogFile log : logs) {
      write(out, log.getPath(), log.getFileSize());
    }
    out.writeBoolean(isMerged());
    if (isMerged()) {
      Text.writeString(out, state.instant());
      out.writeBoolean(state.commits().isPresent());
      WritableUtils.writeStringArray(
          out, state.commits().orElse(Collections.emptySet()).toArray(new String[0]));
    }
    Text.writeString(out, saving == null ? "" : saving.getClass().getName());
    if (saving != null) {
      saving.write(out);
    }
    Text.writeString(out, timestamps.toString());
    out.writeInt(pathValues.size());
    for (Map.Entry<String, String> value : pathValues.entrySet()) {
      Text.writeString(out, value.getKey());
      out.writeBoolean(value.getValue() != null);
      if (value.getValue() != null) {
        Text.writeString(out, value.getValue());
      }
    }
    out.writeBoolean(mayCount);
    out.writeBoolean(all != null);
    if (all != null) {
      write(out, all);
      write(out, matching);
      write(out, counted);
      write(out, notIndexed);
    }
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    super.readFields(in);
    table = new Path(Text.readString(in));
    HoodieFileGroupId group = new HoodieFileGroupId(Text.readString(in), Text.readString(in));
    slice = new FileSlice(group, Text.readString(in));
    if (in.readBoolean()) {
      slice.setBaseFile(new HoodieBaseFile(readFile(in)));
    }
    for (int i = in.readInt(); i > 0; i--) {
      slice.addLogFile(new HoodieLogFile(readFile(in)));
    }
    if (in.readBoolean()) {
      String instant = Text.readString(in);
      boolean isIncremental = in.readBoolean();
      List<String> commits = Arrays.asList(WritableUtils.readStringArray(in));
      state =
          isIncremental
              ? ReadCommits.ofCommits(instant, new LinkedHashSet<>(commits))
              : ReadCommits.until(instant);
    }
    String type = Text.readString(in);
    if (!type.isEmpty()) {
      saving = created(type);
      saving.readFields(in);
    }
    setTimestamps(TimestampUnits.parse(Text.readString(in)));
    Map<String, String> texts = new HashMap<>();
    for (int i = in.readInt(); i > 0; i--) {
      texts.put(Text.readString(in), in.readBoolean() ? Text.readString(in) : null);
    }
    setPathValues(texts);
    setMayCount(in.readBoolean());
    if (in.readBoolean()) {
      setTotals(readTotals(in), readTotals(in), readTotals(in), readTotals(in));
    }
  }

  private static Writable created(String type) throws IOException {
    try { // without Hadoop's cache of classes, which does not know jars that a session added
      return Class.forName(type).asSubclass(Writable.class).getDeclaredConstructor().newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IOException("a split of another version of the handler", e);
    }
  }

  private static void write(DataOutput out, StoragePath file, long size) throws IOException {
    Text.writeString(out, file.toString());
    out.writeLong(size);
  }

  private static StoragePathInfo readFile(DataInput in) throws IOException {
    StoragePath path = new StoragePath(Text.readString(in));
    return new StoragePathInfo(path, in.readLong(), false, (short) 0, 0, 0);
  }

  private static void write(DataOutput out, TableTotals totals) throws IOException {
    out.writeLong(totals.files());
    out.writeLong(totals.bytes());
  }

  private static TableTotals readTotals(DataInput in) throws IOException {
    return TableTotals.of(in.readLong(), in.readLong());
  }
}
