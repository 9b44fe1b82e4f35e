// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.index.storage;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.zip.CRC32;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.hadoop.util.HadoopInputFile;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;

/** Writes an index as {@code docs/inside/formats.md} describes it, with Parquet's own writer. */
final class IndexWriter {
  static final ObjectMapper JSON = new ObjectMapper();

  static final MessageType SCHEMA =
      MessageTypeParser.parseMessageType(
          "message statistics {"
              + " required binary kind (STRING); required binary column (STRING);"
              + " required int32 file; optional binary type (STRING);"
              + " optional binary lower; optional binary upper;"
              + " optional int64 null_count; optional int64 nan_count; optional int32 flags;"
              + " optional binary content; optional binary partition (STRING);"
              + " optional binary file_name (STRING); optional binary file_id (STRING);"
              + " optional binary commit_time (STRING); optional int64 file_size;"
              + " optional int64 value_count; }");

  /** Few, so that most row groups have several pages. */
  private static final int PAGE_ROWS = 7;

  private static final Configuration CONFIGURATION = new Configuration();

  private final Path directory;

  /**
   * @param tableRoot root of the table, may not exist yet
   */
  IndexWriter(Path tableRoot) throws IOException {
    directory = Files.createDirectories(tableRoot.resolve(".hoodie/.skipping_index"));
  }

  Path directory() {
    return directory;
  }

  /** Writes a data file and returns what the manifest says of it; row groups have many columns. */
  ObjectNode dataFile(int rowsPerGroup, List<IndexRow> rows) throws IOException {
    return dataFile(SCHEMA, new IndexRows(rows).groups(rowsPerGroup));
  }

  /** The same with row groups of one column and so many consecutive files, as of a large table. */
  ObjectNode dataFileInBlocks(int filesPerBlock, List<IndexRow> rows) throws IOException {
    return dataFile(SCHEMA, new IndexRows(rows).blocks(filesPerBlock));
  }

  /** Writes these row groups in a schema, which may lack some of the columns. */
  ObjectNode dataFile(MessageType schema, List<IndexRows.RowGroup> groups) throws IOException {
    String name = "data-" + UUID.randomUUID() + ".parquet";
    org.apache.hadoop.fs.Path path = hadoopPath(name);
    ParquetFileWriter file = new ParquetFileWriter(CONFIGURATION, schema, path);
    file.start();
    for (IndexRows.RowGroup group : groups) {
      org.apache.hadoop.fs.Path part = hadoopPath("part-" + UUID.randomUUID());
      try (ParquetWriter<Group> writer =
          ExampleParquetWriter.builder(part)
              .withType(schema)
              .withCompressionCodec(CompressionCodecName.ZSTD)
              .withPageRowCountLimit(PAGE_ROWS)
              .build()) {
        for (Group row : group.rows(schema)) {
          writer.write(row);
        }
      }
      file.appendFile(HadoopInputFile.fromPath(part, CONFIGURATION));
      delete(part.getName());
    }
    file.end(Collections.emptyMap());
    // Our checksums must detect tests' damage, not those of Hadoop's local file system.
    Files.deleteIfExists(directory.resolve("." + name + ".crc"));
    return describe(name, file.getFooter().getBlocks(), groups);
  }

  private org.apache.hadoop.fs.Path hadoopPath(String name) {
    return new org.apache.hadoop.fs.Path(directory.resolve(name).toUri());
  }

  private void delete(String name) throws IOException {
    Files.deleteIfExists(directory.resolve(name));
    Files.deleteIfExists(directory.resolve("." + name + ".crc"));
  }

  private ObjectNode describe(
      String name, List<BlockMetaData> blocks, List<IndexRows.RowGroup> groups) throws IOException {
    byte[] content = Files.readAllBytes(directory.resolve(name));
    ObjectNode dataFile = JSON.createObjectNode();
    ArrayNode rowGroups = JSON.createArrayNode();
    int footerOffset = 0;
    long rows = 0;
    for (int i = 0; i < groups.size(); i++) {
      BlockMetaData block = blocks.get(i);
      int offset = (int) block.getStartingPos();
      footerOffset = offset + (int) block.getCompressedSize();
      rows += block.getRowCount();
      ObjectNode group = rowGroups.addObject();
      group
          .put("offset", offset)
          .put("length", block.getCompressedSize())
          .put("crc32", crc32(Arrays.copyOfRange(content, offset, footerOffset)))
          .put("rows", block.getRowCount());
      ArrayNode chunks = group.putArray("chunks");
      block.getColumns().forEach(chunk -> chunks.add(chunk.getTotalSize()));
      groups.get(i).describe(group);
    }
    dataFile.put("name", name).put("size", content.length).put("rows", rows);
    dataFile.put("files", groups.get(0).files());
    dataFile.put("footer_offset", footerOffset);
    dataFile.put("footer_crc32", crc32(Arrays.copyOfRange(content, footerOffset, content.length)));
    dataFile.set("row_groups", rowGroups);
    return dataFile;
  }

  static String crc32(byte[] bytes) {
    CRC32 crc32 = new CRC32();
    crc32.update(bytes);
    return String.format("%08x", crc32.getValue());
  }

  /** A manifest of these data files, as JSON that a test may change before it is written. */
  static ObjectNode manifest(long generation, ObjectNode... dataFiles) {
    ObjectNode manifest = JSON.createObjectNode();
    manifest.put("format_version", 2).put("generation", generation).put("table", "flights");
    manifest.put("instant", "20260101120000000").put("created_at", "2026-01-01T12:00:05Z");
    manifest.put("writer", "test");
    manifest.putObject("live").put("files", 60).put("rows", 600).put("bytes", 6000);
    ArrayNode list = manifest.putArray("data_files");
    for (ObjectNode dataFile : dataFiles) {
      list.add(dataFile);
    }
    return manifest;
  }

  /** Writes a manifest with the checksum that belongs to it. */
  Path publish(ObjectNode manifest) throws IOException {
    return publish(manifest, manifest.get("generation").longValue());
  }

  /** The same under another number. */
  Path publish(ObjectNode manifest, long number) throws IOException {
    byte[] line = JSON.writeValueAsBytes(manifest);
    Path file = directory.resolve(String.format("manifest-%020d.json", number));
    String text = new String(line, StandardCharsets.UTF_8) + "\n" + crc32(line) + "\n";
    return Files.write(file, text.getBytes(StandardCharsets.UTF_8));
  }
}
