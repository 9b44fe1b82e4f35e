/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.index;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.hadoop.CodecFactory;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.schema.MessageType;

/** Reads the row groups of one data file that can hold rows of some columns, and no others. */
final class DataFileReader {
  private final FileSystem fileSystem;
  private final Path path;
  private final DataFileEntry entry;

  DataFileReader(FileSystem fileSystem, Path path, DataFileEntry entry) {
    this.fileSystem = fileSystem;
    this.path = path;
    this.entry = entry;
  }

  /**
   * Adds the rows of the columns that {@code wanted} has a builder for, in file order.
   *
   * @throws IOException when the file cannot be read, or is not the one that the manifest describes
   */
  void readInto(Map<String, ColumnStatistics.Builder> wanted) throws IOException {
    List<Integer> rowGroups = entry.rowGroupsOf(wanted.keySet());
    if (rowGroups.isEmpty()) {
      return;
    }
    try (ParquetFileReader reader = ParquetFileReader.open(load(rowGroups), options())) {
      if (reader.getRowGroups().size() != entry.rowGroups().size()) {
        throw new IOException("it has " + reader.getRowGroups().size() + " row groups");
      }
      MessageType schema = StatisticsField.project(reader.getFileMetaData().getSchema());
      reader.setRequestedSchema(schema);
      for (int rowGroup : rowGroups) {
        PageReadStore pages = reader.readRowGroup(rowGroup);
        if (pages == null || pages.getRowCount() != entry.rowGroups().get(rowGroup).rows()) {
          throw new IOException("row group " + rowGroup + " has another number of rows");
        }
        new RowGroupReader(pages, schema, reader.getFileMetaData().getCreatedBy()).readInto(wanted);
      }
    }
  }

  private VerifiedSections load(List<Integer> rowGroups) throws IOException {
    VerifiedSections sections = new VerifiedSections(entry.size());
    try (FSDataInputStream file = fileSystem.open(path)) {
      sections.load(file, entry.footer());
      for (int rowGroup : rowGroups) {
        sections.load(file, entry.rowGroups().get(rowGroup).section());
      }
    }
    return sections;
  }

  /**
   * Not from the configuration: a query's own Parquet settings, its row filter above all, must not
   * reach here.
   */
  private ParquetReadOptions options() {
    return ParquetReadOptions.builder()
        .withCodecFactory(new CodecFactory(fileSystem.getConf(), 0))
        .build();
  }
}
