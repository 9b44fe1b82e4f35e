// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.merge;

import java.io.IOException;
import java.util.Collections;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hudi.common.util.ParquetReaderIterator;
import org.apache.hudi.common.util.ParquetUtils;
import org.apache.hudi.common.util.collection.ClosableIterator;
import org.apache.hudi.storage.HoodieStorage;
import org.apache.hudi.storage.StoragePath;
import org.apache.parquet.avro.AvroReadSupport;
import org.apache.parquet.avro.AvroSchemaConverter;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.hadoop.ParquetReader;
import org.apache.parquet.hadoop.api.InitContext;
import org.apache.parquet.hadoop.api.ReadSupport;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;

/**
 * Reads records of a Parquet file with any form of lists. Hudi's reader requests columns in one
 * form for the whole file and misses those in another; its writers mix two forms, depending on
 * whether elements may be NULL.
 */
final class ParquetRecords {
  /** parquet-avro's constants for these are not public. */
  private static final String READ_SCHEMA = "avro.read.schema";

  private ParquetRecords() {}

  /** A file's schema as its records have it: list elements without records around them. */
  static MessageType schema(StoragePath file, HoodieStorage storage) {
    return new ParquetUtils().readMessageType(storage, file);
  }

  /**
   * Converts {@link #schema} to Avro.
   *
   * @throws IllegalArgumentException when records cannot have one of its columns
   */
  static Schema avroSchema(MessageType schema) {
    for (ColumnDescriptor column : schema.getColumns()) {
      if (column.getPrimitiveType().getPrimitiveTypeName() == PrimitiveTypeName.INT96) {
        throw new IllegalArgumentException(
            "column "
                + String.join(".", column.getPath())
                + " is stored as INT96 in a base file, which Hudi cannot merge with logs. Rewrite"
                + " the table with hoodie.parquet.outputtimestamptype=TIMESTAMP_MICROS, or leave"
                + " the column out of the query");
      }
    }
    Configuration conf = new Configuration(false);
    conf.setBoolean(AvroSchemaConverter.ADD_LIST_ELEMENT_RECORDS, false);
    return new AvroSchemaConverter(conf).convert(schema);
  }

  /** {@code schema} has the file's fields in its own types, and others with a default. */
  static ClosableIterator<IndexedRecord> open(
      StoragePath file, MessageType columns, Schema schema, HoodieStorage storage)
      throws IOException {
    Configuration conf = new Configuration(storage.getConf().unwrapAs(Configuration.class));
    conf.setBoolean(AvroReadSupport.AVRO_COMPATIBILITY, false);
    conf.setBoolean(AvroSchemaConverter.ADD_LIST_ELEMENT_RECORDS, false);
    ReadSupport<IndexedRecord> support =
        new AvroReadSupport<IndexedRecord>(OrderedMaps.DATA) {
          @Override
          public ReadContext init(InitContext context) {
            return new ReadContext(
                columns, Collections.singletonMap(READ_SCHEMA, schema.toString()));
          }
        };
    return new ParquetReaderIterator<>(
        ParquetReader.builder(support, new Path(file.toUri())).withConf(conf).build());
  }
}
