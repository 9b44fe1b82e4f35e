/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.index;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.zip.CRC32;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.hadoop.util.HadoopInputFile;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;

/** Writes an index as {@code docs/format.md} describes it, with Parquet's own writer. */
final class IndexWriter {
  static final ObjectMapper JSON = new ObjectMapper();

  private static final MessageType SCHEMA =
      MessageTypeParser.parseMessageType(
          "message statistics {"
              + " required binary column (STRING); required binary type (STRING);"
              + " required binary partition (STRING); required binary file_name (STRING);"
              + " required binary file_id (STRING); required binary commit_time (STRING);"
              + " required int64 file_size; optional binary lower; optional binary upper;"
              + " optional int64 null_count; required int64 value_count;"
              + " optional int64 nan_count; required int32 flags; }");

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

  /** Writes a data file and returns what the manifest says of it. */
  ObjectNode dataFile(int rowsPerGroup, List<IndexRow> rows) throws IOException {
    return dataFile(SCHEMA, rowsPerGroup, rows);
  }

  /** The same in another schema, which has some of the columns. */
  ObjectNode dataFile(MessageType schema, int rowsPerGroup, List<IndexRow> rows)
      throws IOException {
    String name = "data-" + UUID.randomUUID() + ".parquet";
    Path file = directory.resolve(name);
    org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(file.toUri());
    try (ParquetWriter<Group> writer =
        ExampleParquetWriter.builder(path)
            .withType(schema)
            .withCompressionCodec(CompressionCodecName.ZSTD)
            .withRowGroupSize(1L)
            .withMinRowCountForPageSizeCheck(rowsPerGroup)
            .build()) {
      for (IndexRow row : rows) {
        writer.write(group(schema, row));
      }
    }
    // What tests damage must be caught by our checksums, not by those of Hadoop's local file
    // system.
    Files.deleteIfExists(directory.resolve("." + name + ".crc"));
    return describe(name, path, Files.readAllBytes(file), rows);
  }

  private static Group group(MessageType schema, IndexRow row) {
    Group group = new SimpleGroup(schema);
    add(group, "column", row.column);
    add(group, "type", row.type);
    add(group, "partition", row.partition);
    add(group, "file_name", row.fileName);
    add(group, "file_id", "id");
    add(group, "commit_time", "20260101120000000");
    add(group, "file_size", row.fileSize);
    add(group, "lower", row.lower);
    add(group, "upper", row.upper);
    add(group, "null_count", row.nullCount);
    add(group, "value_count", row.valueCount);
    add(group, "nan_count", row.nanCount);
    if (schema.containsField("flags")) {
      group.add("flags", 0);
    }
    return group;
  }

  private static void add(Group group, String field, Object value) {
    if (value == null || !group.getType().containsField(field)) {
      return;
    }
    if (value instanceof byte[]) {
      group.add(field, Binary.fromConstantByteArray((byte[]) value));
    } else if (value instanceof String) {
      group.add(field, (String) value);
    } else {
      group.add(field, (long) (Long) value);
    }
  }

  private static ObjectNode describe(
      String name, org.apache.hadoop.fs.Path path, byte[] content, List<IndexRow> rows)
      throws IOException {
    ObjectNode dataFile = JSON.createObjectNode();
    dataFile.put("name", name).put("size", content.length).put("rows", rows.size());
    ArrayNode rowGroups = JSON.createArrayNode();
    int footerOffset = 0;
    int firstRow = 0;
    try (ParquetFileReader reader =
        ParquetFileReader.open(HadoopInputFile.fromPath(path, new Configuration()))) {
      for (BlockMetaData block : reader.getRowGroups()) {
        int offset = (int) block.getStartingPos();
        footerOffset = offset + (int) block.getCompressedSize();
        int nextRow = firstRow + (int) block.getRowCount();
        rowGroups
            .addObject()
            .put("offset", offset)
            .put("length", block.getCompressedSize())
            .put("crc32", crc32(Arrays.copyOfRange(content, offset, footerOffset)))
            .put("rows", block.getRowCount())
            .put("first_column", rows.get(firstRow).column)
            .put("last_column", rows.get(nextRow - 1).column);
        firstRow = nextRow;
      }
    }
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
    manifest.put("format_version", 1).put("generation", generation).put("table", "flights");
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
