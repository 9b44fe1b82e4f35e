// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.bench;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hudi.avro.model.HoodieMetadataRecord;
import org.apache.hudi.common.config.HoodieConfig;
import org.apache.hudi.common.config.HoodieStorageConfig;
import org.apache.hudi.common.engine.LocalTaskContextSupplier;
import org.apache.hudi.common.model.HoodieRecord;
import org.apache.hudi.common.model.HoodieRecord.HoodieRecordType;
import org.apache.hudi.common.schema.HoodieSchema;
import org.apache.hudi.common.table.HoodieTableConfig;
import org.apache.hudi.common.util.hash.ColumnIndexID;
import org.apache.hudi.hadoop.fs.HadoopFSUtils;
import org.apache.hudi.io.storage.HoodieAvroFileWriter;
import org.apache.hudi.io.storage.HoodieFileWriter;
import org.apache.hudi.io.storage.HoodieFileWriterFactory;
import org.apache.hudi.metadata.HoodieMetadataPayload;
import org.apache.hudi.stats.HoodieColumnRangeMetadata;
import org.apache.hudi.storage.StorageConfiguration;
import org.apache.hudi.storage.StoragePath;
import org.apache.hudi.storage.hadoop.HoodieHadoopStorage;
import org.apache.parquet.filter2.compat.FilterCompat;

/**
 * Writes the statistics of plain Parquet as base files of a metadata table, with Hudi's own writer
 * and settings: {@code MetadataTableFiles JOB}. That writer is on Spark's class path.
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
    PlainParquet.forEach(
        path,
        FilterCompat.NOOP,
        row -> {
          filesOfPartition
              .computeIfAbsent(PlainParquet.text(row, "partition"), ignored -> new HashMap<>())
              .put(PlainParquet.text(row, "file_name"), row.getLong("file_size", 0));
          // Records are sorted by key, which starts with the hash of the column.
          rangesOfColumn
              .computeIfAbsent(
                  new ColumnIndexID(PlainParquet.text(row, "column")).asBase64EncodedString(),
                  ignored -> new ArrayList<>())
              .add(PlainParquet.range(row));
        });
  }

  @SuppressWarnings("rawtypes")
  private void writeColumnStatistics(String path) throws IOException {
    try (HoodieFileWriter writer = writer(path)) {
      for (List<HoodieColumnRangeMetadata<Comparable>> ranges : rangesOfColumn.values()) {
        append(writer, ranges.stream().flatMap(MetadataTableFiles::records));
      }
    }
  }

  @SuppressWarnings("rawtypes")
  private static Stream<HoodieRecord> records(HoodieColumnRangeMetadata<Comparable> range) {
    String partition = range.getFilePath().substring(0, range.getFilePath().lastIndexOf('/'));
    return HoodieMetadataPayload.createColumnStatsRecords(
        partition, Collections.singletonList(range), false);
  }

  @SuppressWarnings("rawtypes")
  private void writeFileListing(String path) throws IOException {
    HoodieRecord partitions =
        HoodieMetadataPayload.createPartitionListRecord(new ArrayList<>(filesOfPartition.keySet()));
    Stream<HoodieRecord> files =
        filesOfPartition.entrySet().stream()
            .map(
                partition ->
                    HoodieMetadataPayload.createPartitionFilesRecord(
                        partition.getKey(), partition.getValue(), Collections.emptyList()));
    try (HoodieFileWriter writer = writer(path)) {
      append(writer, Stream.concat(Stream.of(partitions), files));
    }
  }

  @SuppressWarnings("rawtypes")
  private static void append(HoodieFileWriter writer, Stream<HoodieRecord> records)
      throws IOException {
    List<HoodieRecord> sorted =
        records
            .sorted(Comparator.comparing(HoodieRecord::getRecordKey))
            .collect(Collectors.toList());
    for (HoodieRecord<?> record : sorted) {
      HoodieMetadataPayload payload = (HoodieMetadataPayload) record.getData();
      ((HoodieAvroFileWriter) writer)
          .writeAvro(
              record.getRecordKey(),
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
        HoodieSchema.fromAvroSchema(HoodieMetadataRecord.getClassSchema()),
        new LocalTaskContextSupplier(),
        HoodieRecordType.AVRO);
  }
}
