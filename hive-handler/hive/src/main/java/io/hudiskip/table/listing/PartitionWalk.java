// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.table.listing;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hudi.common.engine.HoodieLocalEngineContext;
import org.apache.hudi.common.fs.FSUtils;
import org.apache.hudi.common.model.HoodieFileFormat;
import org.apache.hudi.common.model.HoodiePartitionMetadata;
import org.apache.hudi.common.table.HoodieTableMetaClient;
import org.apache.hudi.common.util.collection.Pair;
import org.apache.hudi.storage.HoodieStorage;
import org.apache.hudi.storage.StoragePath;
import org.apache.hudi.storage.StoragePathInfo;

/**
 * Finds a table's partitions in its directories, level by level, and lists no directory below which
 * a filter needs no row. As for Hudi, a partition is a directory with a partition metafile, and has
 * no partitions below it unless it is the root.
 */
final class PartitionWalk {
  private static final Set<String> DATA_EXTENSIONS =
      Arrays.stream(HoodieFileFormat.values())
          .map(HoodieFileFormat::getFileExtension)
          .collect(Collectors.toSet());
  private static final String LOG_EXTENSION = HoodieFileFormat.HOODIE_LOG.getFileExtension();

  private final HoodieTableMetaClient table;
  private final HoodieStorage storage;

  PartitionWalk(HoodieTableMetaClient table) {
    this.table = table;
    this.storage = table.getStorage();
  }

  /**
   * The files of the partitions that the filter keeps, by partition; each directory listed once.
   */
  Map<String, List<StoragePathInfo>> find(ListedPartitions filter) throws IOException {
    Map<String, List<StoragePathInfo>> found = new LinkedHashMap<>();
    List<String> level = Collections.singletonList("");
    while (!level.isEmpty()) {
      List<String> next = new ArrayList<>();
      for (Pair<String, List<StoragePathInfo>> listed : listed(level)) {
        String directory = listed.getLeft();
        List<StoragePathInfo> entries = listed.getRight();
        boolean isPartition = entries.stream().anyMatch(PartitionWalk::isMetafile);
        if (isPartition) {
          found.put(directory, files(entries));
        }
        if (!isPartition || directory.isEmpty()) {
          directories(directory, entries, next);
        }
      }
      level = next.isEmpty() ? next : filter.keeps(next, false);
    }
    if (!found.isEmpty()) {
      found.keySet().retainAll(new HashSet<>(filter.keeps(found.keySet())));
    }
    return found;
  }

  /** In parallel, like Hudi: storage is slow. */
  private List<Pair<String, List<StoragePathInfo>>> listed(List<String> directories) {
    return new HoodieLocalEngineContext(storage.getConf())
        .map(directories, directory -> Pair.of(directory, entries(directory)), directories.size());
  }

  private List<StoragePathInfo> entries(String directory) throws IOException {
    StoragePath root = table.getBasePath();
    try {
      return storage.listDirectEntries(
          directory.isEmpty() ? root : new StoragePath(root, directory));
    } catch (FileNotFoundException e) {
      return Collections.emptyList(); // removed since its parent was listed
    }
  }

  private static boolean isMetafile(StoragePathInfo entry) {
    return entry
        .getPath()
        .getName()
        .startsWith(HoodiePartitionMetadata.HOODIE_PARTITION_METAFILE_PREFIX);
  }

  private static List<StoragePathInfo> files(List<StoragePathInfo> entries) {
    return entries.stream()
        .filter(entry -> entry.isFile() && isData(entry.getPath().getName()))
        .collect(Collectors.toList());
  }

  /** As in {@code FSUtils.getAllDataFilesInPartition}: Hudi's view takes what has such a name. */
  private static boolean isData(String name) {
    return DATA_EXTENSIONS.contains(FSUtils.getFileExtension(name)) || name.contains(LOG_EXTENSION);
  }

  private static void directories(String parent, List<StoragePathInfo> entries, List<String> into) {
    for (StoragePathInfo entry : entries) {
      String name = entry.getPath().getName();
      if (entry.isDirectory() && !name.equals(HoodieTableMetaClient.METAFOLDER_NAME)) {
        into.add(parent.isEmpty() ? name : parent + StoragePath.SEPARATOR + name);
      }
    }
  }
}
