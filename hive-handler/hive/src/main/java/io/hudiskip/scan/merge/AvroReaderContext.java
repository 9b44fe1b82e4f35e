// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.merge;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import javax.annotation.Nullable;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;
import org.apache.hudi.common.config.RecordMergeMode;
import org.apache.hudi.common.engine.HoodieReaderContext;
import org.apache.hudi.common.model.HoodieRecordMerger;
import org.apache.hudi.common.schema.HoodieSchema;
import org.apache.hudi.common.table.HoodieTableMetaClient;
import org.apache.hudi.common.util.Option;
import org.apache.hudi.common.util.collection.ClosableIterator;
import org.apache.hudi.common.util.collection.CloseableMappingIterator;
import org.apache.hudi.common.util.collection.Pair;
import org.apache.hudi.storage.HoodieStorage;
import org.apache.hudi.storage.StoragePath;
import org.apache.parquet.schema.MessageType;

/**
 * Lets Hudi's {@code HoodieFileGroupReader} merge Avro records. Hudi's own context for Hive merges
 * Hive's rows: it fails on dates and timestamps, and lets an obsolete delete win, because ordering
 * values of rows and deletes have different classes.
 */
final class AvroReaderContext extends HoodieReaderContext<IndexedRecord> implements Closeable {
  private final SliceRecords records;
  @Nullable private final StoragePath placed;
  private final Set<String> known;

  /** {@code placed} is the base file of {@link PlacedRecord}s that have the known fields. */
  AvroReaderContext(
      HoodieTableMetaClient table,
      Schema tableSchema,
      @Nullable StoragePath placed,
      Set<String> known) {
    this(table, new SliceRecords(table.getTableConfig(), tableSchema), placed, known);
  }

  private AvroReaderContext(
      HoodieTableMetaClient table,
      SliceRecords records,
      @Nullable StoragePath placed,
      Set<String> known) {
    super(table.getStorageConf(), table.getTableConfig(), Option.empty(), Option.empty(), records);
    this.records = records;
    this.placed = placed;
    this.known = known;
  }

  @Override
  public ClosableIterator<IndexedRecord> getFileRecordIterator(
      StoragePath file,
      long start,
      long length,
      HoodieSchema dataSchema,
      HoodieSchema required,
      HoodieStorage storage)
      throws IOException {
    Schema requiredSchema = required.toAvroSchema();
    if (!file.equals(placed)) {
      return records(file, requiredSchema, storage);
    }
    List<String> names =
        requiredSchema.getFields().stream()
            .map(Schema.Field::name)
            .filter(known::contains)
            .collect(Collectors.toList());
    return new PlacedRecords(schema -> records(file, schema, storage), requiredSchema, names);
  }

  private static ClosableIterator<IndexedRecord> records(
      StoragePath file, Schema requiredSchema, HoodieStorage storage) throws IOException {
    MessageType columns = Projections.of(ParquetRecords.schema(file, storage), requiredSchema);
    Schema readable = Promotions.storedSchema(ParquetRecords.avroSchema(columns), requiredSchema);
    ClosableIterator<IndexedRecord> records = ParquetRecords.open(file, columns, readable, storage);
    return readable.equals(requiredSchema)
        ? records
        : new CloseableMappingIterator<>(
            records, record -> Promotions.promoted(record, requiredSchema));
  }

  @Override
  public Option<HoodieRecordMerger> getRecordMerger(
      RecordMergeMode mode, String strategyId, String implementations) {
    switch (mode) {
      case EVENT_TIME_ORDERING:
        return Option.of(new RowMerger(true));
      case COMMIT_TIME_ORDERING:
        return Option.of(new RowMerger(false));
      default:
        records.mergeByPayload();
        // SupportedTables has refused other strategies.
        return Option.of(new PayloadMerger());
    }
  }

  @Override
  public ClosableIterator<IndexedRecord> mergeBootstrapReaders(
      ClosableIterator<IndexedRecord> skeleton,
      HoodieSchema skeletonSchema,
      ClosableIterator<IndexedRecord> data,
      HoodieSchema dataSchema,
      List<Pair<String, Object>> partitionValues) {
    throw new UnsupportedOperationException("bootstrap tables are not supported");
  }

  /** Releases what records refer to. */
  @Override
  public void close() {
    records.close();
  }
}
