// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.table.source;

import io.hudiskip.index.BaseFile;
import io.hudiskip.index.FileVerdicts;
import io.hudiskip.index.IndexUnavailableException;
import io.hudiskip.index.LiveFiles;
import io.hudiskip.table.HudiTable;
import io.hudiskip.table.Merging;
import io.hudiskip.table.TableTotals;
import io.hudiskip.table.UnreadableTableException;
import io.hudiskip.table.listing.ListedPartitions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hudi.common.engine.HoodieLocalEngineContext;
import org.apache.hudi.common.fs.FSUtils;
import org.apache.hudi.common.model.FileSlice;
import org.apache.hudi.common.model.HoodieBaseFile;
import org.apache.hudi.common.model.HoodieTableType;
import org.apache.hudi.exception.HoodieException;
import org.apache.hudi.storage.HoodieStorage;
import org.apache.hudi.storage.StoragePath;
import org.apache.hudi.storage.StoragePathInfo;

/**
 * The slices of a table's latest state that a filter can match, from the files that the index
 * knows.
 *
 * <p>They are those of Hudi's view without what the filter excludes: the index has the latest files
 * after the instants it has seen; a later commit changes only partitions that it names, and for
 * these Hudi's view is used. Uncommitted files are in neither.
 *
 * <p>For a merge-on-read table, whole partitions are skipped and Hudi's view has the others: the
 * index may have more logs than a merge reads. A partition without a matching file has no matching
 * row, since each row is a whole record of one file.
 */
public final class IndexCandidates {
  /** From this many files of a directory on, listing it is cheaper than checking each. */
  private static final int LISTED_FROM = 8;

  /**
   * Above this many requests to storage, Hudi lists the partitions: all at once if the table has a
   * metadata table.
   */
  private static final int MAX_REQUESTS = 32;

  private final HudiTable table;
  private final HoodieStorage storage;
  private final StoragePath root;
  private final boolean isMergeOnRead;
  private final LiveFiles live;

  /** Partitions with commits that the index has not seen. */
  private final Set<String> changed;

  /** Those of them that are listed. */
  private final List<String> listed;

  private IndexCandidates(HudiTable table, LiveFiles live, ListedPartitions partitions)
      throws SourceUnavailableException {
    this.table = table;
    this.storage = table.metaClient().getStorage();
    this.root = table.metaClient().getBasePath();
    this.isMergeOnRead = table.metaClient().getTableType() == HoodieTableType.MERGE_ON_READ;
    this.live = live;
    this.changed = TimelineChanges.partitionsSince(table.metaClient(), live.seen());
    this.listed = partitions.keeps(changed);
  }

  /**
   * Checks that the index knows the table's files.
   *
   * @param table opened after the index
   * @param partitions those that are listed if commits have changed them
   * @throws SourceUnavailableException when only Hudi's view does, with the reason
   */
  public static IndexCandidates of(HudiTable table, LiveFiles live, ListedPartitions partitions)
      throws SourceUnavailableException, UnreadableTableException {
    if (table.metaClient().getTableType() == HoodieTableType.MERGE_ON_READ
        && !Merging.keepsRecordsWhole(table.metaClient().getTableConfig())) {
      throw new SourceUnavailableException("a row of the table may combine several records");
    }
    table.columns(); // refuses what Hudi's view would refuse
    return new IndexCandidates(table, live, partitions);
  }

  /**
   * Bytes of the slices that may have rows for a filter, and of those of changed partitions,
   * without accessing files.
   *
   * @param limit counting may stop above it
   */
  public long bytes(FileVerdicts verdicts, long limit)
      throws IndexUnavailableException, IOException {
    List<BaseFile> files = live.files();
    long bytes =
        inSlices(verdicts.keeps(files).stream().mapToObj(files::get), files)
            .filter(file -> !changed.contains(file.folder()))
            .mapToLong(BaseFile::size)
            .sum();
    return listed.isEmpty() || bytes > limit
        ? bytes
        : bytes + TableTotals.of(table.latestSlices(listed)).bytes();
  }

  /**
   * The slices that may have rows for a filter, and those of changed partitions.
   *
   * @throws SourceUnavailableException when a kept file is not as the index has it
   */
  public Candidates candidates(FileVerdicts verdicts)
      throws SourceUnavailableException, IndexUnavailableException, IOException {
    List<BaseFile> files = live.files();
    Map<String, List<BaseFile>> byPartition =
        verdicts.keeps(files).stream()
            .mapToObj(files::get)
            .filter(file -> !changed.contains(file.folder()))
            .collect(
                Collectors.groupingBy(BaseFile::folder, LinkedHashMap::new, Collectors.toList()));
    Set<String> left = new TreeSet<>(listed);
    if (isMergeOnRead
        || byPartition.values().stream().mapToInt(IndexCandidates::requests).sum() > MAX_REQUESTS) {
      left.addAll(byPartition.keySet());
      byPartition.clear();
    }
    List<FileSlice> slices = existing(byPartition);
    TableTotals totals = TableTotals.of(slices(files.stream()), live.bytes());
    return left.isEmpty()
        ? new Candidates(slices, totals, Candidates.INDEX)
        : withPartitions(left, slices, totals);
  }

  private static int requests(List<BaseFile> files) {
    return files.size() >= LISTED_FROM ? 1 : files.size();
  }

  /** Adds the slices that Hudi's view has in some partitions. */
  private Candidates withPartitions(
      Set<String> partitions, List<FileSlice> others, TableTotals before) throws IOException {
    List<BaseFile> replaced =
        live.files().stream()
            .filter(file -> partitions.contains(file.folder()))
            .collect(Collectors.toList());
    List<FileSlice> found = table.latestSlices(partitions);
    TableTotals added = TableTotals.of(found);
    TableTotals totals =
        TableTotals.of(
            before.files() - slices(replaced.stream()) + added.files(),
            before.bytes() - replaced.stream().mapToLong(BaseFile::size).sum() + added.bytes());
    List<FileSlice> slices = new ArrayList<>(others);
    slices.addAll(found);
    return new Candidates(slices, totals, Candidates.INDEX);
  }

  /** Several partitions in parallel, like Hudi: storage is slow. */
  private List<FileSlice> existing(Map<String, List<BaseFile>> byPartition)
      throws SourceUnavailableException, IOException {
    try {
      return new HoodieLocalEngineContext(storage.getConf())
          .flatMap(
              new ArrayList<>(byPartition.entrySet()),
              entry -> existing(entry.getKey(), entry.getValue()).stream(),
              byPartition.size());
    } catch (HoodieException e) {
      // Wrapped once per thread that passed it on.
      for (Throwable cause = e.getCause(); cause != null; cause = cause.getCause()) {
        if (cause instanceof SourceUnavailableException) {
          throw (SourceUnavailableException) cause;
        }
        if (cause instanceof IOException) {
          throw (IOException) cause;
        }
      }
      throw e;
    }
  }

  /** Checks that the kept files exist with the index's lengths. */
  private List<FileSlice> existing(String partition, List<BaseFile> files)
      throws SourceUnavailableException, IOException {
    List<FileSlice> slices = new ArrayList<>();
    Map<String, StoragePathInfo> listed = new HashMap<>();
    if (files.size() >= LISTED_FROM) {
      StoragePath folder = partition.isEmpty() ? root : new StoragePath(root, partition);
      storage
          .listDirectEntries(folder)
          .forEach(found -> listed.put(found.getPath().getName(), found));
    }
    for (BaseFile file : files) {
      StoragePath path = new StoragePath(root, file.relativePath());
      StoragePathInfo found =
          files.size() >= LISTED_FROM ? listed.get(path.getName()) : storage.getPathInfo(path);
      if (found == null || found.getLength() != file.size()) {
        throw new SourceUnavailableException(
            file + (found == null ? " is missing" : " has " + found.getLength() + " bytes"));
      }
      String name = path.getName();
      FileSlice slice =
          new FileSlice(partition, FSUtils.getCommitTime(name), FSUtils.getFileId(name));
      slice.setBaseFile(new HoodieBaseFile(found));
      slices.add(slice);
    }
    return slices;
  }

  /** Some files and the others of their slices, which are read with them. */
  private Stream<BaseFile> inSlices(Stream<BaseFile> some, List<BaseFile> all) {
    if (!isMergeOnRead) {
      return some;
    }
    Set<String> groups = some.map(this::group).collect(Collectors.toSet());
    return all.stream().filter(file -> groups.contains(group(file)));
  }

  private long slices(Stream<BaseFile> files) {
    return isMergeOnRead ? files.map(this::group).distinct().count() : files.count();
  }

  /** The file group of a file of a merge-on-read table; it has one slice. */
  private String group(BaseFile file) {
    return file.folder()
        + '/'
        + FSUtils.getFileIdFromFilePath(new StoragePath(root, file.relativePath()));
  }
}
