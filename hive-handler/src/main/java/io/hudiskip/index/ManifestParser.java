/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.index;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/**
 * Reads a manifest: a line of JSON and a line with its CRC-32. Keys that are not known are ignored,
 * so that a later writer can add some; those that are needed must be there, of the right type and
 * consistent.
 */
final class ManifestParser {
  private static final int FORMAT_VERSION = 1;
  private static final Pattern DATA_FILE_NAME = Pattern.compile("data-[0-9A-Za-z-]+\\.parquet");
  private static final Pattern CRC32_HEX = Pattern.compile("[0-9a-f]{8}");
  private static final ObjectMapper JSON =
      new ObjectMapper()
          .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  private ManifestParser() {}

  /**
   * Parses the bytes of a manifest file.
   *
   * @param generation the number in the file's name
   * @param digest identity of the bytes, see {@link Manifest#digest}
   */
  static Manifest parse(byte[] bytes, long generation, String digest)
      throws ManifestFormatException {
    JsonNode root = readChecked(bytes);
    // First of all: nothing else of another version can be relied on.
    long version = count(root, "format_version");
    if (version != FORMAT_VERSION) {
      throw new ManifestFormatException(
          "it has format version "
              + version
              + ", and this hive-handler reads version "
              + FORMAT_VERSION);
    }
    if (count(root, "generation") != generation) {
      throw new ManifestFormatException(
          "it says that it is generation " + count(root, "generation"));
    }
    JsonNode live = field(root, "live");
    List<DataFileEntry> dataFiles = new ArrayList<>();
    for (JsonNode dataFile : array(root, "data_files")) {
      dataFiles.add(dataFile(dataFile));
    }
    return new Manifest(
        generation,
        text(root, "instant"),
        new LiveTotals(count(live, "files"), count(live, "rows"), count(live, "bytes")),
        dataFiles,
        digest);
  }

  private static JsonNode readChecked(byte[] bytes) throws ManifestFormatException {
    int end = 0;
    while (end < bytes.length && bytes[end] != '\n') {
      end++;
    }
    if (end == bytes.length) {
      throw new ManifestFormatException("it is cut short: the line with the checksum is missing");
    }
    String checksum =
        new String(bytes, end + 1, bytes.length - end - 1, StandardCharsets.ISO_8859_1);
    if (checksum.endsWith("\n")) {
      checksum = checksum.substring(0, checksum.length() - 1);
    }
    CRC32 actual = new CRC32();
    actual.update(bytes, 0, end);
    if (!CRC32_HEX.matcher(checksum).matches()
        || Long.parseLong(checksum, 16) != actual.getValue()) {
      throw new ManifestFormatException("its checksum does not fit its content");
    }
    try {
      return JSON.readTree(Arrays.copyOf(bytes, end));
    } catch (IOException e) {
      throw new ManifestFormatException("it is not JSON: " + e.getMessage(), e);
    }
  }

  private static DataFileEntry dataFile(JsonNode json) throws ManifestFormatException {
    String name = text(json, "name");
    if (!DATA_FILE_NAME.matcher(name).matches()) {
      throw new ManifestFormatException("it names a data file \"" + name + "\"");
    }
    long size = count(json, "size");
    long footerOffset = count(json, "footer_offset");
    Section footer =
        section(footerOffset, size - footerOffset, json, "footer_crc32", "the footer of " + name);
    List<RowGroupEntry> rowGroups = new ArrayList<>();
    long end = 0;
    long rows = 0;
    for (JsonNode group : array(json, "row_groups")) {
      RowGroupEntry rowGroup = rowGroup(group, name);
      if (rowGroup.section().offset() < end || rowGroup.section().end() > footerOffset) {
        throw new ManifestFormatException("the row groups of " + name + " overlap");
      }
      end = rowGroup.section().end();
      rows += rowGroup.rows();
      rowGroups.add(rowGroup);
    }
    if (rows != count(json, "rows")) {
      throw new ManifestFormatException("the rows of " + name + " don't add up");
    }
    return new DataFileEntry(name, footer, rowGroups);
  }

  private static RowGroupEntry rowGroup(JsonNode json, String file) throws ManifestFormatException {
    return new RowGroupEntry(
        section(
            count(json, "offset"), count(json, "length"), json, "crc32", "a row group of " + file),
        count(json, "rows"),
        text(json, "first_column"),
        text(json, "last_column"));
  }

  private static Section section(
      long offset, long length, JsonNode json, String crc32Key, String what)
      throws ManifestFormatException {
    if (length <= 0 || length > Integer.MAX_VALUE - Long.BYTES) {
      throw new ManifestFormatException(what + " has " + length + " bytes");
    }
    String crc32 = text(json, crc32Key);
    if (!CRC32_HEX.matcher(crc32).matches()) {
      throw new ManifestFormatException("\"" + crc32 + "\" is no CRC-32");
    }
    return new Section(offset, (int) length, Long.parseLong(crc32, 16));
  }

  private static JsonNode field(JsonNode object, String key) throws ManifestFormatException {
    JsonNode value = object.get(key);
    if (value == null) {
      throw new ManifestFormatException("it has no \"" + key + "\"");
    }
    return value;
  }

  private static String text(JsonNode object, String key) throws ManifestFormatException {
    JsonNode value = field(object, key);
    if (!value.isTextual()) {
      throw new ManifestFormatException("\"" + key + "\" is not a string");
    }
    return value.textValue();
  }

  private static long count(JsonNode object, String key) throws ManifestFormatException {
    JsonNode value = field(object, key);
    if (!value.isIntegralNumber() || !value.canConvertToLong() || value.longValue() < 0) {
      throw new ManifestFormatException("\"" + key + "\" is not a whole number of 0 or more");
    }
    return value.longValue();
  }

  private static JsonNode array(JsonNode object, String key) throws ManifestFormatException {
    JsonNode value = field(object, key);
    if (!value.isArray()) {
      throw new ManifestFormatException("\"" + key + "\" is not a list");
    }
    return value;
  }
}
