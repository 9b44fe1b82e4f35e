/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.index;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IOUtils;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.format.converter.ParquetMetadataConverter;
import org.apache.parquet.hadoop.CodecFactory;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.schema.MessageType;

/** Reads row groups of one open data file, each checked before anything of it is decoded. */
final class DataFileReader implements Closeable {
  private final FSDataInputStream file;
  private final VerifiedSections sections;
  private final ParquetFileReader reader;

  /** Where the row groups begin that the reader knows, by its numbers. */
  private final List<Long> offsets = new ArrayList<>();

  /**
   * Opens a data file.
   *
   * @param groups the row groups that may be read
   * @throws IOException when the file cannot be read, or is not the one that the manifest describes
   */
  DataFileReader(FileSystem fileSystem, Path path, DataFileEntry entry, List<RowGroupEntry> groups)
      throws IOException {
    sections = new VerifiedSections(entry.size());
    file = fileSystem.open(path);
    try {
      sections.load(file, entry.footer());
      long[] wanted = groups.stream().mapToLong(group -> group.section().offset()).toArray();
      reader = ParquetFileReader.open(sections, options(fileSystem, wanted));
    } catch (IOException | RuntimeException | LinkageError e) {
      IOUtils.closeStream(file);
      throw e;
    }
    reader.getRowGroups().forEach(group -> offsets.add(group.getStartingPos()));
  }

  /**
   * Reads a row group.
   *
   * @param group one of those that may be read
   * @throws IOException when the file is not the one that the manifest describes
   */
  RowGroupFields read(RowGroupEntry group, RecordKind kind) throws IOException {
    int number = offsets.indexOf(group.section().offset());
    if (number < 0) {
      throw new IOException("no row group begins at byte " + group.section().offset());
    }
    MessageType schema = StatisticsField.project(reader.getFileMetaData().getSchema(), kind);
    sections.load(file, group.section());
    reader.setRequestedSchema(schema);
    PageReadStore pages = reader.readRowGroup(number);
    sections.forget(group.section());
    if (pages == null || pages.getRowCount() != group.rows()) {
      throw new IOException(
          "the row group at byte " + group.section().offset() + " has another number of rows");
    }
    return new RowGroupFields(pages, schema, reader.getFileMetaData().getCreatedBy());
  }

  /**
   * Not from the configuration: a query's own Parquet settings, its row filter above all, must not
   * reach here.
   */
  private static ParquetReadOptions options(FileSystem fileSystem, long[] offsets) {
    return ParquetReadOptions.builder()
        .withCodecFactory(new CodecFactory(fileSystem.getConf(), 0))
        .withMetadataFilter(ParquetMetadataConverter.offsets(offsets))
        .build();
  }

  @Override
  public void close() {
    // What was read was checked; a file that cannot be closed takes nothing of that back.
    IOUtils.closeStream(reader);
    IOUtils.closeStream(file);
  }
}
