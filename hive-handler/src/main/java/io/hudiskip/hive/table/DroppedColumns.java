/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.table;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hudi.common.table.HoodieTableConfig;
import org.apache.hudi.common.table.HoodieTableMetaClient;

/**
 * The {@link PartitionColumns} that one table keeps out of its files, by its properties, which are
 * read once as long as their file is the same. Immutable.
 */
public final class DroppedColumns {
  private static final int TABLES_KEPT = 256;
  private static final Cache<Path, DroppedColumns> KNOWN =
      Caffeine.newBuilder().maximumSize(TABLES_KEPT).build();

  private final Path table;
  private final PartitionColumns columns;
  private final long modified;
  private final long length;

  private DroppedColumns(Path table, PartitionColumns columns, long modified, long length) {
    this.table = table;
    this.columns = columns;
    this.modified = modified;
    this.length = length;
  }

  /**
   * Those of the table that a file is in.
   *
   * @throws UnreadableTableException when it is in none, or the paths of its files do not say what
   *     the values were
   */
  public static DroppedColumns of(JobConf job, Path file)
      throws IOException, UnreadableTableException {
    return ofTable(job, TableRoot.of(file.getFileSystem(job), file));
  }

  /**
   * Those of the table at a root directory.
   *
   * @throws UnreadableTableException when there is none, or the paths of its files do not say what
   *     the values were
   */
  public static DroppedColumns ofTable(JobConf job, Path table)
      throws IOException, UnreadableTableException {
    FileSystem fileSystem = table.getFileSystem(job);
    Path metadata = new Path(table, HoodieTableMetaClient.METAFOLDER_NAME);
    FileStatus properties;
    try {
      properties =
          fileSystem.getFileStatus(new Path(metadata, HoodieTableConfig.HOODIE_PROPERTIES_FILE));
    } catch (FileNotFoundException e) { // while Hudi updates it there is only a copy
      return read(job, table, -1, -1);
    }
    long modified = properties.getModificationTime();
    long length = properties.getLen();
    DroppedColumns known = KNOWN.getIfPresent(table);
    if (known == null || known.modified != modified || known.length != length) {
      known = read(job, table, modified, length);
      KNOWN.put(table, known);
    }
    return known;
  }

  private static DroppedColumns read(JobConf job, Path table, long modified, long length)
      throws UnreadableTableException {
    String location = table.toString();
    return new DroppedColumns(
        table,
        PartitionColumns.droppedBy(HudiTable.config(job, location), location),
        modified,
        length);
  }

  /** Root directory of the table. */
  public Path table() {
    return table;
  }

  /** The columns; none of most tables. */
  public PartitionColumns columns() {
    return columns;
  }
}
