/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.bench;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hudi.avro.model.HoodieMetadataRecord;
import org.apache.hudi.common.config.HoodieConfig;
import org.apache.hudi.common.config.HoodieStorageConfig;
import org.apache.hudi.common.engine.LocalTaskContextSupplier;
import org.apache.hudi.common.model.HoodieColumnRangeMetadata;
import org.apache.hudi.common.model.HoodieRecord;
import org.apache.hudi.common.model.HoodieRecord.HoodieRecordType;
import org.apache.hudi.common.table.HoodieTableConfig;
import org.apache.hudi.common.util.hash.ColumnIndexID;
import org.apache.hudi.hadoop.fs.HadoopFSUtils;
import org.apache.hudi.io.storage.HoodieAvroFileWriter;
import org.apache.hudi.io.storage.HoodieFileWriter;
import org.apache.hudi.io.storage.HoodieFileWriterFactory;
import org.apache.hudi.metadata.HoodieMetadataPayload;
import org.apache.hudi.storage.StorageConfiguration;
import org.apache.hudi.storage.StoragePath;
import org.apache.hudi.storage.hadoop.HoodieHadoopStorage;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.filter2.compat.FilterCompat;

/**
 * Writes the statistics of plain Parquet as base files of a metadata table, with Hudi's own writer
 * and settings: {@code MetadataTableFiles JOB}. Runs on Spark's class path, where that writer is.
 */
final class MetadataTableFiles {
  private static final String INSTANT = "00000000000000001";

  private final Map<String, Map<String, Long>> filesOfPartition = new TreeMap<>();

  @SuppressWarnings("rawtypes")
  private final Map<String, List<HoodieColumnRangeMetadata<Comparable>>> rangesOfColumn =
      new TreeMap<>();

  private MetadataTableFiles() {}

  public static void main(String[] arguments) throws IOException {
    JsonNode job = Timings.job(arguments[0]);
    MetadataTableFiles files = new MetadataTableFiles();
    files.read(job.get("rows").textValue());
    files.writeColumnStatistics(job.get("column_stats").textValue());
    files.writeFileListing(job.get("files").textValue());
  }

  private void read(String path) throws IOException {
    try (PlainParquet rows = PlainParquet.open(path, FilterCompat.NOOP)) {
      for (Group row = rows.next(); row != null; row = rows.next()) {
        filesOfPartition
            .computeIfAbsent(PlainParquet.text(row, "partition"), ignored -> new HashMap<>())
            .put(PlainParquet.text(row, "file_name"), row.getLong("file_size", 0));
        // The key of a record begins with the hash of its column: so they are sorted by it.
        rangesOfColumn
            .computeIfAbsent(
                new ColumnIndexID(PlainParquet.text(row, "column")).asBase64EncodedString(),
                ignored -> new ArrayList<>())
            .add(PlainParquet.range(row));
      }
    }
  }

  @SuppressWarnings("rawtypes")
  private void writeColumnStatistics(String path) throws IOException {
    try (HoodieFileWriter writer = writer(path)) {
      for (List<HoodieColumnRangeMetadata<Comparable>> ranges : rangesOfColumn.values()) {
        Map<String, HoodieRecord> sorted = new TreeMap<>();
        for (HoodieColumnRangeMetadata<Comparable> range : ranges) {
          String partition = range.getFilePath().substring(0, range.getFilePath().lastIndexOf('/'));
          HoodieMetadataPayload.createColumnStatsRecords(
                  partition, Collections.singletonList(range), false)
              .forEach(written -> sorted.put(written.getRecordKey(), written));
        }
        append(writer, sorted);
      }
    }
  }

  @SuppressWarnings("rawtypes")
  private void writeFileListing(String path) throws IOException {
    Map<String, HoodieRecord> sorted = new TreeMap<>();
    List<HoodieRecord> records = new ArrayList<>();
    records.add(
        HoodieMetadataPayload.createPartitionListRecord(
            new ArrayList<>(filesOfPartition.keySet())));
    filesOfPartition.forEach(
        (partition, files) ->
            records.add(
                HoodieMetadataPayload.createPartitionFilesRecord(
                    partition, files, Collections.emptyList())));
    records.forEach(written -> sorted.put(written.getRecordKey(), written));
    try (HoodieFileWriter writer = writer(path)) {
      append(writer, sorted);
    }
  }

  @SuppressWarnings("rawtypes")
  private static void append(HoodieFileWriter writer, Map<String, HoodieRecord> sorted)
      throws IOException {
    for (Map.Entry<String, HoodieRecord> entry : sorted.entrySet()) {
      HoodieMetadataPayload payload = (HoodieMetadataPayload) entry.getValue().getData();
      ((HoodieAvroFileWriter) writer)
          .writeAvro(
              entry.getKey(),
              payload
                  .getInsertValue(HoodieMetadataRecord.getClassSchema(), new Properties())
                  .get());
    }
  }

  private static HoodieFileWriter writer(String path) throws IOException {
    StorageConfiguration<?> configuration = HadoopFSUtils.getStorageConf(new Configuration());
    StoragePath target = new StoragePath(path);
    HoodieConfig settings = HoodieStorageConfig.newBuilder().build();
    settings.setValue(HoodieTableConfig.POPULATE_META_FIELDS, "false");
    return HoodieFileWriterFactory.getFileWriter(
        INSTANT,
        target,
        new HoodieHadoopStorage(target, configuration),
        settings,
        HoodieMetadataRecord.getClassSchema(),
        new LocalTaskContextSupplier(),
        HoodieRecordType.AVRO);
  }
}
