// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.index.manifest;

import static io.hudiskip.index.manifest.JsonFields.array;
import static io.hudiskip.index.manifest.JsonFields.count;
import static io.hudiskip.index.manifest.JsonFields.field;
import static io.hudiskip.index.manifest.JsonFields.text;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hudiskip.compile.encoding.HiveType;
import io.hudiskip.compile.kind.IndexKinds;
import io.hudiskip.compile.statistics.ColumnStatistics;
import io.hudiskip.index.parquet.StatisticsField;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.zip.CRC32;
import org.apache.commons.codec.DecoderException;
import org.apache.commons.codec.binary.Hex;

/**
 * Reads a manifest: a line of JSON and a line with its CRC-32. Unknown keys are ignored, so that
 * later writers can add some; required keys must be present, typed and consistent.
 */
public final class ManifestParser {
  private static final int FORMAT_VERSION = 2;
  private static final Pattern DATA_FILE_NAME = Pattern.compile("data-[0-9A-Za-z-]+\\.parquet");
  private static final Pattern CRC32_HEX = Pattern.compile("[0-9a-f]{8}");
  private static final ObjectMapper JSON =
      new ObjectMapper()
          .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  private ManifestParser() {}

  /** {@code generation} is the number in the file's name. */
  public static Manifest parse(byte[] bytes, long generation) throws ManifestFormatException {
    JsonNode root = readChecked(bytes);
    // Checked first: another version's fields cannot be trusted.
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
          "it contains generation " + count(root, "generation") + ", not " + generation);
    }
    List<DataFileEntry> dataFiles = new ArrayList<>();
    for (JsonNode dataFile : array(root, "data_files")) {
      dataFiles.add(dataFile(dataFile));
    }
    return new Manifest(
        generation,
        text(root, "instant"),
        JsonFields.live(root),
        dataFiles,
        root.has("timeline") ? Optional.of(JsonFields.seen(root)) : Optional.empty());
  }

  private static JsonNode readChecked(byte[] bytes) throws ManifestFormatException {
    int end = 0;
    while (end < bytes.length && bytes[end] != '\n') {
      end++;
    }
    if (end == bytes.length) {
      throw new ManifestFormatException("it is truncated: the checksum line is missing");
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
      throw new ManifestFormatException("its checksum does not match its content");
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
      throw new ManifestFormatException("it names an invalid data file \"" + name + "\"");
    }
    long size = count(json, "size");
    long footerOffset = count(json, "footer_offset");
    Section footer =
        section(footerOffset, size - footerOffset, json, "footer_crc32", "the footer of " + name);
    int files = ordinal(json, "files", Integer.MAX_VALUE);
    List<RowGroupEntry> rowGroups = new ArrayList<>();
    long end = 0;
    long rows = 0;
    for (JsonNode group : array(json, "row_groups")) {
      RowGroupEntry rowGroup = rowGroup(group, name, files);
      if (rowGroup.section().offset() < end || rowGroup.section().end() > footerOffset) {
        throw new ManifestFormatException("the row groups of " + name + " overlap");
      }
      end = rowGroup.section().end();
      rows += rowGroup.rows();
      rowGroups.add(rowGroup);
    }
    if (rows != count(json, "rows")) {
      throw new ManifestFormatException(
          "the row groups of " + name + " do not add up to its row count");
    }
    return new DataFileEntry(name, files, footer, rowGroups);
  }

  private static RowGroupEntry rowGroup(JsonNode json, String file, int files)
      throws ManifestFormatException {
    Section section =
        section(
            count(json, "offset"), count(json, "length"), json, "crc32", "a row group of " + file);
    long rows = count(json, "rows");
    String kind = text(json, "kind");
    if (!isKnown(kind)) {
      return RowGroupEntry.ofUnknownKind(kind, section, rows);
    }
    int firstFile = ordinal(json, "first_file", files);
    int lastFile = ordinal(json, "last_file", files);
    String firstColumn = text(json, "first_column");
    String lastColumn = text(json, "last_column");
    Optional<ColumnStatistics> block = Optional.empty();
    if (json.has("block")) {
      // A block stands for every file of the range, so each must have a row in the group.
      if (!firstColumn.equals(lastColumn) || rows != (long) lastFile - firstFile + 1) {
        throw new ManifestFormatException("a block of " + file + " is incomplete");
      }
      block = Optional.of(block(json.get("block")));
    }
    return new RowGroupEntry(
        kind,
        section,
        chunkEnds(json, section, file),
        rows,
        firstColumn,
        lastColumn,
        firstFile,
        lastFile,
        block);
  }

  private static boolean isKnown(String kind) {
    return kind.equals(RowGroupEntry.FILES)
        || kind.equals(RowGroupEntry.RANGE)
        || IndexKinds.named(kind).isPresent();
  }

  private static int[] chunkEnds(JsonNode json, Section section, String file)
      throws ManifestFormatException {
    JsonNode lengths = array(json, "chunks");
    int[] ends = new int[lengths.size()];
    long end = 0;
    for (int i = 0; i < ends.length; i++) {
      JsonNode length = lengths.get(i);
      if (!length.isIntegralNumber() || !length.canConvertToInt() || length.intValue() < 0) {
        throw new ManifestFormatException(
            "\"chunks\" of " + file + " contains " + length + ", which is not a valid length");
      }
      end += length.intValue();
      ends[i] = (int) end;
    }
    // Later versions may append columns.
    if (ends.length < StatisticsField.COLUMNS || end != section.length()) {
      throw new ManifestFormatException(
          "\"chunks\" of "
              + file
              + " has too few lengths, or their sum is not the length of the row group");
    }
    return ends;
  }

  private static ColumnStatistics block(JsonNode json) throws ManifestFormatException {
    return new ColumnStatistics(
        HiveType.parse(text(json, "type")),
        optionalBytes(json, "lower"),
        optionalBytes(json, "upper"),
        optionalCount(json, "null_count"),
        optionalCount(json, "value_count"),
        optionalCount(json, "nan_count"));
  }

  private static Section section(
      long offset, long length, JsonNode json, String crc32Key, String what)
      throws ManifestFormatException {
    if (length <= 0 || length > Integer.MAX_VALUE - Long.BYTES) {
      throw new ManifestFormatException(what + " has the invalid length " + length);
    }
    String crc32 = text(json, crc32Key);
    if (!CRC32_HEX.matcher(crc32).matches()) {
      throw new ManifestFormatException("\"" + crc32 + "\" is not a CRC-32");
    }
    return new Section(offset, (int) length, Long.parseLong(crc32, 16));
  }

  /** A number from 0 to {@code limit}, exclusive. */
  private static int ordinal(JsonNode object, String key, int limit)
      throws ManifestFormatException {
    long value = count(object, key);
    if (value >= limit) {
      throw new ManifestFormatException("\"" + key + "\" is " + value + ", not below " + limit);
    }
    return (int) value;
  }

  private static long optionalCount(JsonNode object, String key) throws ManifestFormatException {
    return field(object, key).isNull() ? ColumnStatistics.UNKNOWN_COUNT : count(object, key);
  }

  private static byte[] optionalBytes(JsonNode object, String key) throws ManifestFormatException {
    if (field(object, key).isNull()) {
      return null;
    }
    try {
      return Hex.decodeHex(text(object, key));
    } catch (DecoderException e) {
      throw new ManifestFormatException("\"" + key + "\" is not hexadecimal", e);
    }
  }
}
