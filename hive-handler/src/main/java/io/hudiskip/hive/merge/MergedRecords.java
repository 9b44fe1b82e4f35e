/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.merge;

import java.io.Closeable;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;
import org.apache.hadoop.conf.Configuration;
import org.apache.hudi.avro.HoodieAvroUtils;
import org.apache.hudi.common.config.HoodieCommonConfig;
import org.apache.hudi.common.config.HoodieMemoryConfig;
import org.apache.hudi.common.config.TypedProperties;
import org.apache.hudi.common.model.FileSlice;
import org.apache.hudi.common.table.HoodieTableConfig;
import org.apache.hudi.common.table.HoodieTableMetaClient;
import org.apache.hudi.common.table.read.HoodieFileGroupReader;
import org.apache.hudi.common.util.Option;

/** The records of a file slice: those of its base file, with those of its logs merged in. */
public final class MergedRecords implements Closeable {
  /** Hudi's settings of merging that a session may have. */
  private static final List<String> SETTINGS =
      Collections.unmodifiableList(
          Arrays.asList(
              HoodieMemoryConfig.MAX_MEMORY_FOR_MERGE.key(),
              HoodieMemoryConfig.SPILLABLE_MAP_BASE_PATH.key(),
              HoodieMemoryConfig.MAX_DFS_STREAM_BUFFER_SIZE.key(),
              HoodieCommonConfig.DISK_MAP_BITCASK_COMPRESSION_ENABLED.key()));

  private static final int PART_OF_HEAP = 8;

  private final HoodieFileGroupReader<IndexedRecord> reader;

  private MergedRecords(HoodieFileGroupReader<IndexedRecord> reader) {
    this.reader = reader;
  }

  /**
   * Reads the logs of a slice and opens its base file.
   *
   * @param table of the slice
   * @param tableSchema current schema of the table
   * @param requested the fields of it that records have to have; they may have more
   * @param slice to read
   * @param instant requested time of the last commit whose log blocks count
   * @param looked the fields that the caller looks at in all records; those of the base file that
   *     are rows of the slice as they are have nothing else but their {@link #place}
   * @param job has Hudi's settings of memory and spilling
   */
  public static MergedRecords open(
      HoodieTableMetaClient table,
      Schema tableSchema,
      Schema requested,
      FileSlice slice,
      String instant,
      Set<String> looked,
      Configuration job)
      throws IOException {
    TypedProperties properties = TypedProperties.copy(table.getTableConfig().getProps());
    properties.setProperty(HoodieMemoryConfig.MAX_MEMORY_FOR_MERGE.key(), Long.toString(memory()));
    for (String setting : SETTINGS) {
      String value = job.get(setting, "").trim();
      if (!value.isEmpty()) {
        properties.setProperty(setting, value);
      }
    }
    HoodieFileGroupReader<IndexedRecord> reader =
        new HoodieFileGroupReader<>(
            new AvroReaderContext(
                RecordKeys.of(table.getTableConfig()),
                slice.getBaseFile().isPresent() ? slice.getBaseFile().get().getStoragePath() : null,
                known(table.getTableConfig(), slice, looked)),
            table.getStorage(),
            table.getBasePath().toString(),
            instant,
            slice,
            tableSchema,
            requested,
            Option.empty(),
            table,
            properties,
            0,
            slice.getBaseFile().isPresent() ? slice.getBaseFile().get().getFileSize() : 0,
            false);
    try {
      reader.initRecordIterators();
    } catch (IOException | RuntimeException e) {
      reader.close();
      throw e;
    }
    return new MergedRecords(reader);
  }

  private static Set<String> known(HoodieTableConfig table, FileSlice slice, Set<String> looked) {
    Set<String> names = new HashSet<>(looked);
    if (!slice.hasLogFiles()) {
      return names; // nothing is merged
    }
    names.addAll(RecordKeys.of(table).fields()); // which merging goes by, as by the ordering value
    String ordering = table.getPreCombineField();
    if (ordering != null) {
      names.add(HoodieAvroUtils.getRootLevelFieldName(ordering));
    }
    return names;
  }

  /**
   * Bytes of waiting records above which they go to disk: a JVM may have a reader for each core.
   */
  private static long memory() {
    return Math.min(
        Runtime.getRuntime().maxMemory() / PART_OF_HEAP,
        HoodieMemoryConfig.MAX_MEMORY_FOR_MERGE.defaultValue());
  }

  /** The next record, null after the last; its fields are found by the names in its own schema. */
  public IndexedRecord next() throws IOException {
    return reader.hasNext() ? reader.next() : null;
  }

  /**
   * Number of the row of the base file that a record is, unchanged; negative if it is none.
   *
   * <p>Hudi returns the record of the base file itself where no log has one of its key, or where it
   * wins over that.
   */
  public static long place(IndexedRecord record) {
    return record instanceof PlacedRecord ? ((PlacedRecord) record).row() : -1;
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
