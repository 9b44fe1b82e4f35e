/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.merge;

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
 * The records of a Parquet file, whatever forms of lists it has. Hudi's own reader asks for columns
 * in one form for a whole file, and finds none in another: its writers have two of them in one
 * file, by whether an element may be NULL.
 */
final class ParquetRecords {
  /** Of parquet-avro, whose constants for these are not public. */
  private static final String READ_SCHEMA = "avro.read.schema";

  private ParquetRecords() {}

  /**
   * The schema of a file as its records have it: lists have their elements, and not records around
   * them.
   */
  static MessageType schema(StoragePath file, HoodieStorage storage) {
    return new ParquetUtils().readSchema(storage, file);
  }

  /**
   * The same as an Avro schema.
   *
   * @throws IllegalArgumentException when it has a column that records cannot have
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

  /**
   * Opens a file.
   *
   * @param columns those to be read
   * @param schema of the records: fields of the file in its own types, others with a default
   */
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
