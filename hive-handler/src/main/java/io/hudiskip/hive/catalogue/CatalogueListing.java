/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.catalogue;

import io.hudiskip.hive.table.HudiTable;
import io.hudiskip.hive.table.Merging;
import io.hudiskip.hive.table.TableTotals;
import io.hudiskip.hive.table.UnreadableTableException;
import io.hudiskip.index.BaseFile;
import io.hudiskip.index.FileVerdicts;
import io.hudiskip.index.IndexUnavailableException;
import io.hudiskip.index.LiveFiles;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
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
 * The slices of the latest state of a table that a filter can match, by what the index knows of the
 * table's files.
 *
 * <p>It is the set that a listing has, less what the filter excludes: the index has the latest
 * files after the instants that it has seen; a later commit changes none but those of the
 * partitions that it names, and these are listed. What is not committed is in neither.
 *
 * <p>Of a merge-on-read table partitions are left out, and the others are listed: the index may
 * have more logs than a merge reads. A partition without a file that can match has no row that
 * does, as each row is a whole record of one of the files.
 */
public final class CatalogueListing {
  /** Of so many files of a directory on, one listing costs less than looking at each. */
  private static final int LISTED_FROM = 8;

  /**
   * Beyond so many looks at the storage Hudi lists the partitions: all at once where the table has
   * a metadata table.
   */
  private static final int MOST_LOOKS = 32;

  private final HudiTable table;
  private final HoodieStorage storage;
  private final StoragePath root;
  private final boolean isMergeOnRead;

  private CatalogueListing(HudiTable table) {
    this.table = table;
    this.storage = table.metaClient().getStorage();
    this.root = table.metaClient().getBasePath();
    this.isMergeOnRead = table.metaClient().getTableType() == HoodieTableType.MERGE_ON_READ;
  }

  /**
   * The slices that can have rows for a filter, and those of partitions that have changed.
   *
   * @param table opened after the index
   * @param verdicts what the index says of files for the filter
   * @throws UnknownChangesException when the table has to be listed, saying why
   * @throws IndexUnavailableException when the index cannot be read
   */
  public static Candidates of(HudiTable table, LiveFiles live, FileVerdicts verdicts)
      throws UnknownChangesException,
          IndexUnavailableException,
          UnreadableTableException,
          IOException {
    return in(table).candidates(live, verdicts);
  }

  /**
   * Bytes of the slices that can have rows for a filter, and of those of partitions that have
   * changed, without a look at the files.
   *
   * @param limit above which it is enough to know that there are more
   * @throws UnknownChangesException as {@link #of}
   * @throws IndexUnavailableException as {@link #of}
   */
  public static long bytes(HudiTable table, LiveFiles live, FileVerdicts verdicts, long limit)
      throws UnknownChangesException,
          IndexUnavailableException,
          UnreadableTableException,
          IOException {
    return in(table).bytes(live, verdicts, limit);
  }

  private static CatalogueListing in(HudiTable table)
      throws UnknownChangesException, UnreadableTableException {
    CatalogueListing listing = new CatalogueListing(table);
    if (listing.isMergeOnRead && !Merging.keepsRecordsWhole(table.metaClient().getTableConfig())) {
      throw new UnknownChangesException("its rows may be made of several records");
    }
    table.columns(); // refused here as it is where the table is listed
    return listing;
  }

  private long bytes(LiveFiles live, FileVerdicts verdicts, long limit)
      throws UnknownChangesException, IndexUnavailableException, IOException {
    Set<String> changed = TimelineChanges.partitionsSince(table.metaClient(), live.seen());
    List<BaseFile> files = live.files();
    BitSet kept = verdicts.keeps(files);
    long bytes =
        inSlices(kept.stream().mapToObj(files::get), files)
            .filter(file -> !changed.contains(partition(file)))
            .mapToLong(BaseFile::size)
            .sum();
    if (changed.isEmpty() || bytes > limit) {
      return bytes;
    }
    return bytes + TableTotals.of(table.latestSlices(changed)).bytes();
  }

  private Candidates candidates(LiveFiles live, FileVerdicts verdicts)
      throws UnknownChangesException, IndexUnavailableException, IOException {
    Set<String> changed = TimelineChanges.partitionsSince(table.metaClient(), live.seen());
    List<BaseFile> files = live.files();
    BitSet kept = verdicts.keeps(files);
    Map<String, List<BaseFile>> byPartition = new LinkedHashMap<>();
    for (int i = kept.nextSetBit(0); i >= 0; i = kept.nextSetBit(i + 1)) {
      String partition = partition(files.get(i));
      if (!changed.contains(partition)) {
        byPartition.computeIfAbsent(partition, first -> new ArrayList<>()).add(files.get(i));
      }
    }
    Set<String> listed = new TreeSet<>(changed);
    if (isMergeOnRead
        || byPartition.values().stream().mapToInt(CatalogueListing::looks).sum() > MOST_LOOKS) {
      listed.addAll(byPartition.keySet());
      byPartition.clear();
    }
    List<FileSlice> slices = lookAt(byPartition);
    TableTotals totals =
        TableTotals.of(isMergeOnRead ? slices(files.stream()) : files.size(), live.bytes());
    return listed.isEmpty()
        ? Candidates.indexed(slices, totals)
        : withListed(slices, files, listed, totals);
  }

  private static int looks(List<BaseFile> files) {
    return files.size() >= LISTED_FROM ? 1 : files.size();
  }

  private Candidates withListed(
      List<FileSlice> others, List<BaseFile> files, Set<String> listed, TableTotals before)
      throws IOException {
    List<BaseFile> replaced =
        files.stream()
            .filter(file -> listed.contains(partition(file)))
            .collect(Collectors.toList());
    List<FileSlice> found = table.latestSlices(listed);
    TableTotals of = TableTotals.of(found);
    TableTotals totals =
        TableTotals.of(
            before.files() - slices(replaced.stream()) + of.files(),
            before.bytes() - replaced.stream().mapToLong(BaseFile::size).sum() + of.bytes());
    List<FileSlice> slices = new ArrayList<>(others);
    slices.addAll(found);
    return Candidates.indexed(slices, totals);
  }

  /** Several partitions at a time, as Hudi lists them: storage is far away. */
  private List<FileSlice> lookAt(Map<String, List<BaseFile>> byPartition)
      throws UnknownChangesException, IOException {
    try {
      return new HoodieLocalEngineContext(storage.getConf())
          .flatMap(
              new ArrayList<>(byPartition.entrySet()),
              entry -> found(entry.getKey(), entry.getValue()).stream(),
              byPartition.size());
    } catch (HoodieException e) {
      // As many times wrapped as threads passed it on.
      for (Throwable cause = e.getCause(); cause != null; cause = cause.getCause()) {
        if (cause instanceof UnknownChangesException) {
          throw (UnknownChangesException) cause;
        }
        if (cause instanceof IOException) {
          throw (IOException) cause;
        }
      }
      throw e;
    }
  }

  /** Only what is kept is looked at: whether it is there, and as long as the index says. */
  private List<FileSlice> found(String partition, List<BaseFile> files)
      throws UnknownChangesException, IOException {
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
        throw new UnknownChangesException(
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

  /** Some files and the others of their slices, with which they are read. */
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

  /** The file group of a file, which has one slice. */
  private String group(BaseFile file) {
    return isMergeOnRead
        ? partition(file)
            + '/'
            + FSUtils.getFileIdFromFilePath(new StoragePath(root, file.relativePath()))
        : file.relativePath();
  }

  private static String partition(BaseFile file) {
    return file.relativePath().substring(0, Math.max(0, file.relativePath().lastIndexOf('/')));
  }
}
