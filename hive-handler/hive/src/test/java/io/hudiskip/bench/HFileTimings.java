// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.bench;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.avro.generic.IndexedRecord;
import org.apache.hadoop.conf.Configuration;
import org.apache.hudi.common.config.HoodieMetadataConfig;
import org.apache.hudi.common.data.HoodieListData;
import org.apache.hudi.common.engine.HoodieLocalEngineContext;
import org.apache.hudi.common.model.HoodieRecord;
import org.apache.hudi.common.util.collection.ClosableIterator;
import org.apache.hudi.common.util.collection.Pair;
import org.apache.hudi.common.util.hash.ColumnIndexID;
import org.apache.hudi.common.util.hash.FileIndexID;
import org.apache.hudi.common.util.hash.PartitionIndexID;
import org.apache.hudi.hadoop.fs.HadoopFSUtils;
import org.apache.hudi.io.storage.HFileReaderFactory;
import org.apache.hudi.io.storage.HoodieNativeAvroHFileReader;
import org.apache.hudi.metadata.ColumnStatsIndexPrefixRawKey;
import org.apache.hudi.metadata.HoodieBackedTableMetadata;
import org.apache.hudi.metadata.HoodieMetadataPayload;
import org.apache.hudi.metadata.MetadataPartitionType;
import org.apache.hudi.storage.StorageConfiguration;
import org.apache.hudi.storage.StoragePath;
import org.apache.hudi.storage.hadoop.HoodieHadoopStorage;

/**
 * Times Hudi's own reader on rows of {@code column_stats}: {@code HFileTimings JOB ANSWER}. {@code
 * keys} are looked up in the HFile one by one, as the RFC did; {@code columns} are read through the
 * metadata table, as Hudi's own data skipping does.
 */
final class HFileTimings {
  private final StorageConfiguration<?> configuration =
      HadoopFSUtils.getStorageConf(new Configuration());
  private final StoragePath file;
  private final String table;

  private HFileTimings(String file, String table) {
    this.file = new StoragePath(file);
    this.table = table;
  }

  public static void main(String[] arguments) throws Exception {
    JsonNode job = Timings.job(arguments[0]);
    HFileTimings hFile =
        new HFileTimings(job.get("hfile").textValue(), job.get("table").textValue());
    JsonNode pace = job.get("pace");
    Timings timings = new Timings();
    if (job.has("keys")) {
      timings.time("full scan", job.get("full_scan_pace"), () -> hFile.count(null));
    }
    Timings.each(
        job.path("keys"),
        (name, rows) -> {
          List<String> keys = keysOf(rows);
          timings.time("keys " + name, pace, () -> hFile.count(keys));
          timings.time(
              "column stats " + name,
              pace,
              () -> {
                try (HoodieBackedTableMetadata metadata = hFile.open()) {
                  return columnStatistics(metadata, rows);
                }
              });
        });
    Timings.each(
        job.path("columns"),
        (name, columns) -> {
          List<ColumnStatsIndexPrefixRawKey> prefixes = prefixesOf(columns);
          timings.time(
              name + ", cold",
              pace,
              () -> {
                try (HoodieBackedTableMetadata metadata = hFile.open()) {
                  return read(metadata, prefixes);
                }
              });
          try (HoodieBackedTableMetadata metadata = hFile.open()) {
            timings.time(name + ", warm", pace, () -> read(metadata, prefixes));
          }
        });
    timings.write(arguments[1]);
  }

  private static List<ColumnStatsIndexPrefixRawKey> prefixesOf(JsonNode columns) {
    List<ColumnStatsIndexPrefixRawKey> prefixes = new ArrayList<>();
    columns.forEach(name -> prefixes.add(new ColumnStatsIndexPrefixRawKey(name.textValue())));
    return prefixes;
  }

  private static List<String> keysOf(JsonNode rows) {
    List<String> keys = new ArrayList<>();
    rows.forEach(
        row ->
            keys.add(
                HoodieMetadataPayload.getColumnStatsIndexKey(
                    new PartitionIndexID(row.get(1).textValue()),
                    new FileIndexID(row.get(2).textValue()),
                    new ColumnIndexID(row.get(0).textValue()))));
    Collections.sort(keys);
    return keys;
  }

  /** Reads the rows of some keys; null stands for all rows. */
  private long count(List<String> keys) throws Exception {
    HoodieHadoopStorage storage = new HoodieHadoopStorage(file, configuration);
    long rows = 0;
    try (HoodieNativeAvroHFileReader reader =
            HoodieNativeAvroHFileReader.builder()
                .readerFactory(
                    HFileReaderFactory.builder().withStorage(storage).withPath(file).build())
                .path(file)
                .build();
        ClosableIterator<HoodieRecord<IndexedRecord>> records =
            keys == null ? reader.getRecordIterator() : reader.getRecordsByKeysIterator(keys)) {
      while (records.hasNext()) {
        records.next();
        rows++;
      }
    }
    return rows;
  }

  private static long columnStatistics(HoodieBackedTableMetadata metadata, JsonNode rows) {
    Map<String, List<Pair<String, String>>> filesOfColumn = new TreeMap<>();
    rows.forEach(
        row ->
            filesOfColumn
                .computeIfAbsent(row.get(0).textValue(), ignored -> new ArrayList<>())
                .add(Pair.of(row.get(1).textValue(), row.get(2).textValue())));
    long found = 0;
    for (Map.Entry<String, List<Pair<String, String>>> column : filesOfColumn.entrySet()) {
      found += metadata.getColumnStats(column.getValue(), column.getKey()).size();
    }
    return found;
  }

  private static long read(
      HoodieBackedTableMetadata metadata, List<ColumnStatsIndexPrefixRawKey> prefixes) {
    return metadata
        .getRecordsByKeyPrefixes(
            HoodieListData.eager(prefixes),
            MetadataPartitionType.COLUMN_STATS.getPartitionPath(),
            true)
        .collectAsList()
        .size();
  }

  private HoodieBackedTableMetadata open() {
    return new HoodieBackedTableMetadata(
        new HoodieLocalEngineContext(configuration),
        new HoodieHadoopStorage(new StoragePath(table), configuration),
        HoodieMetadataConfig.newBuilder().enable(true).build(),
        table);
  }
}
