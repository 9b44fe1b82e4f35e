// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.index.storage;

import static io.hudiskip.conformance.Expressions.and;
import static io.hudiskip.conformance.Expressions.equal;
import static io.hudiskip.conformance.Expressions.expression;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hudiskip.compile.expression.HudiExpression;
import io.hudiskip.index.BaseFile;
import io.hudiskip.index.IndexUnavailableException;
import io.hudiskip.index.parquet.StatisticsField;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whatever is wrong with an index, the answer is "unavailable" with a remedy, never a wrong bound.
 */
class DamagedIndexTest {
  private static final int FILES = 12;
  private static final BitSet RIGHT_ANSWER = BitSet.valueOf(new long[] {1 << 4});
  private static final int PARQUET_MAGIC = 4;

  @TempDir Path table;
  private IndexWriter writer;
  private ObjectNode dataFile;
  private Path dataPath;
  private Path manifestPath;

  @BeforeEach
  void goodIndex() throws Exception {
    writer = new IndexWriter(table);
    List<IndexRow> rows = new ArrayList<>();
    for (String column : new String[] {"a", "b"}) {
      for (int i = 0; i < FILES; i++) {
        rows.add(IndexRow.of(column, "p", "file-" + i, 10L * i, 10L * i + 9));
      }
    }
    dataFile = writer.dataFile(FILES, rows);
    assertThat(dataFile.get("row_groups")).as("row groups").hasSize(3);
    dataPath = writer.directory().resolve(dataFile.get("name").textValue());
  }

  /** Needs every row group: a = 45 AND b = 45. */
  private BitSet answer() throws Exception {
    HudiExpression both = expression(and(equal("a", 45), equal("b", 45)));
    List<BaseFile> listing = new ArrayList<>();
    for (int i = 0; i < FILES; i++) {
      listing.add(new BaseFile("p/file-" + i, 100));
    }
    return LocalIndex.kept(LocalIndex.open(table, new IndexCache(0)), both, listing);
  }

  private void assertUnavailable(String what, String... reasons) {
    assertThatThrownBy(this::answer)
        .as(what)
        .isInstanceOf(IndexUnavailableException.class)
        .hasMessageContaining(table.getFileName().toString())
        .hasMessageContaining("hudi-skip index build")
        .satisfies(e -> Arrays.asList(reasons).forEach(r -> assertThat(e).hasMessageContaining(r)));
  }

  private ObjectNode publish(Consumer<ObjectNode> change) throws IOException {
    ObjectNode manifest = IndexWriter.manifest(1, dataFile.deepCopy());
    change.accept(manifest);
    manifestPath = writer.publish(manifest, 1);
    return manifest;
  }

  @Test
  void aMissingIndexIsReportedWithHowToBuildOne() throws Exception {
    assertUnavailable("an index directory without a manifest", "no statistics index at");
    Files.delete(dataPath);
    Files.delete(writer.directory());
    assertUnavailable("no index directory", "no statistics index at");
  }

  @Test
  void aFlippedBitInAnyByteOfARowGroupIsDetected() throws Exception {
    publish(manifest -> {});
    int end = dataFile.get("footer_offset").intValue();
    byte[] good = Files.readAllBytes(dataPath);
    for (int position = 0; position < good.length; position++) {
      Files.write(dataPath, flipped(good, position));
      if (position < PARQUET_MAGIC || position >= end) {
        assertThat(answer()).as("byte %s is not read", position).isEqualTo(RIGHT_ANSWER);
      } else {
        assertUnavailable("bit flip at byte " + position, "checksum");
      }
    }
  }

  @Test
  void aFlippedBitInAnyByteOfTheManifestIsDetected() throws Exception {
    publish(manifest -> {});
    byte[] good = Files.readAllBytes(manifestPath);
    for (int position = 0; position < good.length; position++) {
      Files.write(manifestPath, flipped(good, position));
      assertUnavailable("bit flip at byte " + position);
    }
  }

  /** Each byte in another bit than the one before it. */
  private static byte[] flipped(byte[] good, int position) {
    byte[] damaged = good.clone();
    damaged[position] ^= (byte) (1 << (position % 8));
    return damaged;
  }

  @Test
  void aTruncatedManifestIsDetected() throws Exception {
    publish(manifest -> {});
    byte[] good = Files.readAllBytes(manifestPath);
    for (int length = 0; length < good.length - 1; length++) {
      Files.write(manifestPath, Arrays.copyOf(good, length));
      assertUnavailable("manifest of " + length + " bytes");
    }
  }

  @Test
  void aTruncatedOrMissingDataFileIsDetected() throws Exception {
    publish(manifest -> {});
    int end = dataFile.get("footer_offset").intValue();
    byte[] good = Files.readAllBytes(dataPath);
    for (int length = 0; length < good.length; length += 7) {
      Files.write(dataPath, Arrays.copyOf(good, length));
      if (length < end) {
        assertUnavailable("data file of " + length + " bytes", "truncated");
      } else {
        assertThat(answer()).as("all row groups are there").isEqualTo(RIGHT_ANSWER);
      }
    }
    Files.delete(dataPath);
    assertUnavailable("no data file", "missing");
  }

  @Test
  void anotherFormatIsNotGuessedAt() throws Exception {
    for (int version : new int[] {1, 3}) {
      publish(manifest -> manifest.put("format_version", version).remove("data_files"));
      assertUnavailable("another version", "format version " + version, "reads version 2");
    }
  }

  @Test
  void unknownKeysAreIgnored() throws Exception {
    publish(
        manifest -> {
          manifest.putObject("later").put("x", 1);
          dataFile(manifest).put("later", true);
          ((ObjectNode) manifest.at("/data_files/0/row_groups/0")).putArray("later");
        });
    assertThat(answer()).isEqualTo(RIGHT_ANSWER);
  }

  @Test
  void aKeyThatIsMissingOrOfAnotherTypeIsDetected() throws Exception {
    String[] pointers = {"", "/live", "/data_files/0", "/data_files/0/row_groups/0"};
    List<String> unused = Arrays.asList("table", "created_at", "writer");
    ObjectNode complete = publish(manifest -> {});
    for (String pointer : pointers) {
      List<String> keys = new ArrayList<>();
      complete.at(pointer).fieldNames().forEachRemaining(keys::add);
      assertThat(keys).as("keys at %s", pointer).isNotEmpty();
      keys.removeAll(unused);
      for (String key : keys) {
        publish(manifest -> ((ObjectNode) manifest.at(pointer)).remove(key));
        assertUnavailable("without " + pointer + "/" + key, key);
        publish(manifest -> ((ObjectNode) manifest.at(pointer)).put(key, 1.5));
        assertUnavailable("with another type of " + pointer + "/" + key);
        publish(manifest -> ((ObjectNode) manifest.at(pointer)).putNull(key));
        assertUnavailable("with null for " + pointer + "/" + key);
      }
    }
  }

  @Test
  void sectionsThatDoNotMatchTheFileAreDetected() throws Exception {
    byte[] content = Files.readAllBytes(dataPath);
    // The checksum matches what it covers, but does not cover the whole row group.
    publish(
        manifest -> {
          ObjectNode group = group(manifest);
          int offset = group.get("offset").intValue();
          int length = group.get("length").intValue() / 2;
          group.put("length", length);
          group.put(
              "crc32", IndexWriter.crc32(Arrays.copyOfRange(content, offset, offset + length)));
        });
    assertUnavailable("half a row group", "their sum is not the length of the row group");
    publish(manifest -> group(manifest).put("offset", 4));
    assertUnavailable("row groups that overlap", "overlap");
    publish(manifest -> group(manifest).put("length", 1L << 40));
    assertUnavailable("a row group of a terabyte");
    publish(manifest -> group(manifest).put("length", 0));
    assertUnavailable("an empty row group");
    publish(manifest -> dataFile(manifest).put("size", 5));
    assertUnavailable("a footer behind the end");
  }

  @Test
  void rowGroupsThatDoNotMatchTheFileAreDetected() throws Exception {
    for (int rows : new int[] {FILES - 1, FILES + 1}) {
      publish(
          manifest -> {
            group(manifest).put("rows", rows);
            dataFile(manifest).put("rows", 2 * FILES + rows);
          });
      assertUnavailable("another number of rows", "expected number of rows");
    }
    publish(manifest -> dataFile(manifest).put("rows", 37));
    assertUnavailable("rows that don't add up", "do not add up to its row count");
    publish(manifest -> dataFile(manifest).put("files", FILES + 1));
    assertUnavailable("more files than the file has", "12 files instead of 13");
    publish(manifest -> dataFile(manifest).put("files", FILES - 1));
    assertUnavailable("a nonexistent file", "last_file");
    publish(manifest -> group(manifest).put("first_file", -1));
    assertUnavailable("a negative ordinal", "first_file");
  }

  @Test
  void columnChunksThatBeginElsewhereAreDetected() throws Exception {
    StatisticsField[] read = {
      StatisticsField.FILE, StatisticsField.TYPE, StatisticsField.LOWER, StatisticsField.NULL_COUNT
    };
    for (StatisticsField field : read) {
      for (int moved : new int[] {-1, 1}) {
        publish(
            manifest -> {
              add(manifest, field.position() - 1, moved);
              add(manifest, field.position(), -moved);
            });
        assertUnavailable(field + " begins elsewhere by " + moved);
      }
    }
    for (int length : new int[] {-1, 1 << 30}) {
      publish(manifest -> add(manifest, 1, length));
      assertUnavailable("other lengths of column chunks", "chunks");
    }
  }

  private static void add(ObjectNode manifest, int chunk, int bytes) {
    ArrayNode chunks = (ArrayNode) group(manifest).get("chunks");
    chunks.set(chunk, IntNode.valueOf(chunks.get(chunk).intValue() + bytes));
  }

  @Test
  void filesOutOfOrderAreDetected() throws Exception {
    // Partition and name of each.
    String[][] outOfOrder = {{"p", "2", "p", "1"}, {"q", "1", "p", "1"}};
    for (String[] files : outOfOrder) {
      List<IndexRow> rows =
          Arrays.asList(
              IndexRow.of("a", files[0], files[1], 0, 1),
              IndexRow.of("a", files[2], files[3], 0, 1));
      Comparator<IndexRow> asTheyCome = Comparator.comparing(rows::indexOf);
      dataFile = writer.dataFile(IndexWriter.SCHEMA, new IndexRows(rows, asTheyCome).groups(10));
      publish(manifest -> {});
      assertUnavailable("files " + Arrays.toString(files), "is out of order");
    }
  }

  @Test
  void aBlockThatDoesNotCoverItsFilesIsDetected() throws Exception {
    publish(manifest -> group(manifest).put("last_file", FILES - 2).putObject("block"));
    assertUnavailable("a row less than files", "incomplete");
    publish(manifest -> group(manifest).put("last_column", "b").putObject("block"));
    assertUnavailable("two columns", "incomplete");
    publish(manifest -> group(manifest).putObject("block").put("type", "int").put("lower", "8"));
    assertUnavailable("half a byte", "hexadecimal");
  }

  @Test
  void aRowGroupOfAKindOfLaterVersionsIsLeftAlone() throws Exception {
    publish(
        manifest -> {
          ObjectNode group = group(manifest);
          group.retain("offset", "length", "crc32", "rows");
          group.put("kind", "of the future");
        });
    assertThat(answer()).as("files kept by b = 45 alone").isEqualTo(RIGHT_ANSWER);
  }

  private static ObjectNode dataFile(ObjectNode manifest) {
    return (ObjectNode) manifest.at("/data_files/0");
  }

  /** The row group of column a. */
  private static ObjectNode group(ObjectNode manifest) {
    return (ObjectNode) manifest.at("/data_files/0/row_groups/1");
  }

  @Test
  void aDataFileOutsideTheIndexDirectoryIsRefused() throws Exception {
    for (String name :
        new String[] {
          "../data-1.parquet", "/data-1.parquet", "data-../x.parquet", "data-1.parquet/", "x"
        }) {
      publish(manifest -> dataFile(manifest).put("name", name));
      assertUnavailable("data file " + name, name);
    }
  }

  @Test
  void aManifestUnderAnotherNumberIsRefused() throws Exception {
    ObjectNode manifest = publish(unchanged -> {});
    writer.publish(manifest, 2);
    assertUnavailable("generation 1 in the file of generation 2", "generation 1");
  }

  @Test
  void aManifestNumberOutOfRangeIsRefused() throws Exception {
    Path good = writer.publish(publish(manifest -> {}));
    Files.copy(good, writer.directory().resolve("manifest-99999999999999999999.json"));
    assertUnavailable("number of 20 nines", "out of range");
  }

  @Test
  void repeatedKeysAndTrailingTextAreRefused() throws Exception {
    String json = IndexWriter.JSON.writeValueAsString(publish(manifest -> {}));
    for (String line :
        new String[] {
          "{\"generation\":1," + json.substring(1), json + " {}", "[" + json + "]", "", "null"
        }) {
      byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
      String text = line + "\n" + IndexWriter.crc32(bytes) + "\n";
      Files.write(manifestPath, text.getBytes(StandardCharsets.UTF_8));
      assertUnavailable("manifest " + line);
    }
  }

  @Test
  void aDataFileWithoutAColumnThatIsNeededIsRefused() throws Exception {
    List<IndexRow> rows = new ArrayList<>();
    rows.add(IndexRow.of("a", "p", "file-0", 0, 1));
    rows.add(IndexRow.of("b", "p", "file-0", 0, 1));
    for (String missing : new String[] {"null_count", "file_size", "file", "lower", "column"}) {
      List<Type> fields = new ArrayList<>(IndexWriter.SCHEMA.getFields());
      fields.removeIf(field -> field.getName().equals(missing));
      dataFile =
          writer.dataFile(new MessageType("statistics", fields), new IndexRows(rows).groups(10));
      publish(manifest -> {});
      assertUnavailable("no " + missing, "chunks");
    }
  }
}
