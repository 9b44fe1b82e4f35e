// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.merge;

import io.hudiskip.table.RecordKeys;
import java.io.Closeable;
import java.io.IOException;
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
import org.apache.hudi.common.model.HoodieBaseFile;
import org.apache.hudi.common.schema.HoodieSchema;
import org.apache.hudi.common.table.HoodieTableConfig;
import org.apache.hudi.common.table.HoodieTableMetaClient;
import org.apache.hudi.common.table.read.HoodieFileGroupReader;
import org.apache.hudi.common.util.CollectionUtils;
import org.apache.hudi.common.util.Option;
import org.apache.hudi.common.util.collection.ClosableIterator;

/** The records of a file slice: the base file's, merged with those of the logs. */
public final class MergedRecords implements Closeable {
  /** Hudi's merge settings that a session may override. */
  private static final List<String> SETTINGS =
      CollectionUtils.createImmutableList(
          HoodieMemoryConfig.MAX_MEMORY_FOR_MERGE.key(),
          HoodieMemoryConfig.SPILLABLE_MAP_BASE_PATH.key(),
          HoodieMemoryConfig.MAX_DFS_STREAM_BUFFER_SIZE.key(),
          HoodieCommonConfig.DISK_MAP_BITCASK_COMPRESSION_ENABLED.key());

  private static final int HEAP_FRACTION = 8;

  private final AvroReaderContext context;
  private final ClosableIterator<IndexedRecord> records;

  private MergedRecords(AvroReaderContext context, ClosableIterator<IndexedRecord> records) {
    this.context = context;
    this.records = records;
  }

  /**
   * Reads the logs of a slice and opens its base file. Records are merged by their positions in the
   * base file where each log has positions for it, otherwise by key, as in Spark: a base file may
   * have a key twice. The context reads the whole file in order, so Hudi counts its rows.
   *
   * @param requested the fields that records must have; they may have more
   * @param instant requested time of the last commit whose log blocks are read
   * @param always fields that the caller reads in all records; unchanged rows of the base file have
   *     only these and their {@link #baseRow}
   */
  public static MergedRecords open(
      HoodieTableMetaClient table,
      Schema tableSchema,
      Schema requested,
      FileSlice slice,
      String instant,
      Set<String> always,
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
    Option<HoodieBaseFile> base = slice.getBaseFile();
    AvroReaderContext context =
        new AvroReaderContext(
            table,
            tableSchema,
            base.isPresent() ? base.get().getStoragePath() : null,
            known(table.getTableConfig(), slice, always));
    HoodieFileGroupReader<IndexedRecord> reader = null;
    try {
      reader =
          HoodieFileGroupReader.<IndexedRecord>newBuilder()
              .withReaderContext(context)
              .withHoodieTableMetaClient(table)
              .withLatestCommitTime(instant)
              .withFileSlice(slice)
              .withDataSchema(HoodieSchema.fromAvroSchema(tableSchema))
              .withRequestedSchema(HoodieSchema.fromAvroSchema(requested))
              .withProps(properties)
              .withLength(base.isPresent() ? base.get().getFileSize() : 0)
              .withShouldUseRecordPosition(true)
              .build();
      return new MergedRecords(context, reader.getClosableIterator());
    } catch (IOException | RuntimeException e) {
      context.close();
      if (reader != null) {
        reader.close();
      }
      throw e;
    }
  }

  private static Set<String> known(HoodieTableConfig table, FileSlice slice, Set<String> always) {
    Set<String> names = new HashSet<>(always);
    if (!slice.hasLogFiles()) {
      return names; // nothing is merged
    }
    names.addAll(RecordKeys.of(table).fields()); // merging needs the keys and the ordering value
    for (String ordering : table.getOrderingFields()) {
      names.add(HoodieAvroUtils.getRootLevelFieldName(ordering));
    }
    return names;
  }

  /** Bytes of waiting records above which they spill to disk. A JVM may run a reader per core. */
  private static long memory() {
    return Math.min(
        Runtime.getRuntime().maxMemory() / HEAP_FRACTION,
        HoodieMemoryConfig.MAX_MEMORY_FOR_MERGE.defaultValue());
  }

  /** The next record, null after the last; its fields are found by name in its own schema. */
  public IndexedRecord next() {
    return records.hasNext() ? records.next() : null;
  }

  /**
   * The base file's row number if the record is that row, unchanged; otherwise negative.
   *
   * <p>Hudi returns the base file's record itself where it wins, or no log has its key.
   */
  public static long baseRow(IndexedRecord record) {
    return record instanceof PlacedRecord ? ((PlacedRecord) record).row() : -1;
  }

  @Override
  public void close() {
    context.close();
    records.close(); // and with them Hudi's reader
  }
}
