// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.index.storage;

import static io.hudiskip.conformance.Expressions.constant;
import static io.hudiskip.conformance.Expressions.equal;
import static io.hudiskip.conformance.Expressions.expression;
import static io.hudiskip.index.storage.LocalIndex.only;
import static io.hudiskip.index.storage.SortedTable.FILES;
import static io.hudiskip.index.storage.SortedTable.columns;
import static io.hudiskip.index.storage.SortedTable.listing;
import static io.hudiskip.index.storage.SortedTable.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hudiskip.compile.encoding.EncodedOrder;
import io.hudiskip.compile.encoding.ValueEncoding;
import io.hudiskip.compile.statistics.RecordedTimestamps;
import io.hudiskip.index.BaseFile;
import io.hudiskip.index.IndexUnavailableException;
import io.hudiskip.index.StatisticsIndex;
import io.hudiskip.thrift.ExpressionNode;
import io.hudiskip.thrift.ExpressionOperator;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.parquet.filter2.predicate.FilterApi;
import org.apache.parquet.hadoop.ParquetInputFormat;
import org.apache.parquet.io.api.Binary;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The way from a listing through an index on disk to the files that are kept. */
class StatisticsIndexTest {
  @TempDir Path table;
  private IndexWriter writer;
  private IndexCache cache;

  @BeforeEach
  void newIndex() throws Exception {
    writer = new IndexWriter(table);
    cache = new IndexCache(64 << 20);
  }

  private StatisticsIndex open() throws Exception {
    return LocalIndex.open(table, cache);
  }

  private BitSet kept(List<ExpressionNode> nodes) throws Exception {
    return kept(nodes, listing());
  }

  private BitSet kept(List<ExpressionNode> nodes, List<BaseFile> listing) throws Exception {
    return LocalIndex.kept(open(), expression(nodes), listing);
  }

  @Test
  void takesTheHighestNumberedManifest() throws Exception {
    writer.publish(IndexWriter.manifest(9));
    writer.publish(IndexWriter.manifest(10, writer.dataFile(1000, columns("a"))));
    Files.write(writer.directory().resolve("manifest-99999999999999999999.json.tmp"), new byte[3]);
    assertThat(open().generation()).isEqualTo(10);
    assertThat(kept(equal("a", 0))).isEqualTo(only(0));
  }

  @Test
  void keepsFilesWhoseStoredTypeIsNotReadWithoutLoss() throws Exception {
    List<IndexRow> rows = columns("a");
    rows.get(5).type("bigint");
    rows.get(6).type("smallint");
    rows.get(7).type("a type of a later version");
    writer.publish(IndexWriter.manifest(1, writer.dataFile(1000, rows)));
    assertThat(kept(equal("a", 0))).isEqualTo(only(0, 5, 7));
  }

  @Test
  void filesAreFoundInAnyOrderAndByTheirWholePath() throws Exception {
    String[] partitions = {"", "a", "a/b", "a=%3A", "\u00e4", "\ud83d\ude00"};
    String[] names = {"1", "10", "1\u00e9", "2.parquet", "\u00e9", "\uffee", "\ud83d\ude00", "?"};
    List<IndexRow> rows = new ArrayList<>();
    List<BaseFile> listing = new ArrayList<>();
    for (String partition : partitions) {
      for (String name : names) {
        rows.add(IndexRow.of("a", partition, name, 0, 1));
        listing.add(new BaseFile(partition.isEmpty() ? name : partition + "/" + name, 100));
      }
    }
    writer.publish(IndexWriter.manifest(1, writer.dataFile(5, rows)));
    int known = listing.size();
    for (String path :
        new String[] {"a/", "a/3", "a/b/1/", "a//1", "b/1", "a/1\ud83d", "\ud83d", "a/b", "/1"}) {
      listing.add(new BaseFile(path, 100));
    }
    for (int seed = 0; seed < 20; seed++) {
      BitSet unknown = new BitSet();
      for (int i = 0; i < listing.size(); i++) {
        unknown.set(i, isUnknown(rows, listing, i));
      }
      assertThat(unknown.cardinality()).isEqualTo(listing.size() - known);
      assertThat(kept(equal("a", 2), listing)).isEqualTo(unknown);
      Collections.shuffle(listing, new Random(seed));
    }
  }

  private static boolean isUnknown(List<IndexRow> rows, List<BaseFile> listing, int file) {
    return rows.stream().noneMatch(row -> row.path().equals(listing.get(file).relativePath()));
  }

  @Test
  void aColumnThatIsNotIndexedKeepsEveryFile() throws Exception {
    writer.publish(IndexWriter.manifest(1, writer.dataFile(1000, columns("a", "c"))));
    for (String column : new String[] {"b", "A", "0", "z"}) {
      assertThat(kept(equal(column, 0)).cardinality())
          .as("files kept by a filter on %s", column)
          .isEqualTo(FILES);
    }
  }

  @Test
  void expressionsWithoutColumnsNeedNoDataFile() throws Exception {
    ObjectNode dataFile = writer.dataFile(1000, columns("a"));
    writer.publish(IndexWriter.manifest(1, dataFile));
    Files.delete(writer.directory().resolve(dataFile.get("name").textValue()));
    assertThat(kept(constant(ExpressionOperator.NEVER))).isEqualTo(only());
    assertThat(kept(constant(ExpressionOperator.UNKNOWN)).cardinality()).isEqualTo(FILES);
  }

  @Test
  void readsOnlyTheRowGroupsThatCanHoldItsColumns() throws Exception {
    ObjectNode dataFile = writer.dataFile(FILES, columns("a", "b", "c"));
    assertThat(dataFile.get("row_groups")).as("row groups").hasSize(4);
    writer.publish(IndexWriter.manifest(1, dataFile));
    Path file = writer.directory().resolve(dataFile.get("name").textValue());
    byte[] content = Files.readAllBytes(file);
    for (int other : new int[] {1, 3}) {
      int offset = dataFile.at("/row_groups/" + other + "/offset").intValue();
      Arrays.fill(content, offset, offset + 20, (byte) 0x55);
    }
    Files.write(file, content);
    assertThat(kept(equal("b", 123)))
        .as("the damage of other columns' row groups does not matter")
        .isEqualTo(only(12));
    assertThatThrownBy(() -> kept(equal("a", 123))).isInstanceOf(IndexUnavailableException.class);
  }

  @Test
  void absentStatisticsOfOtherColumnsDoNotShiftThoseThatAreRead() throws Exception {
    Random random = new Random(11);
    String[] names = {"a", "b", "c", "d"};
    List<IndexRow> rows = columns(names);
    rows.stream().filter(row -> random.nextInt(3) == 0).forEach(IndexRow::withoutStatistics);
    for (int rowsPerGroup : new int[] {1000, FILES, 50, 7}) {
      writer.publish(IndexWriter.manifest(1, writer.dataFile(rowsPerGroup, rows)));
      for (int column = 0; column < names.length; column++) {
        for (int file = 0; file < FILES; file++) {
          BitSet expected = only(file);
          for (int other = 0; other < FILES; other++) {
            if (rows.get(column * FILES + other).lower == null) {
              expected.set(other);
            }
          }
          assertThat(kept(equal(names[column], 10L * file + 4)))
              .as("%s in file %d, %d rows a group", names[column], file, rowsPerGroup)
              .isEqualTo(expected);
        }
      }
    }
  }

  @Test
  void columnNamesAreOrderedByTheirBytes() throws Exception {
    // UTF-16 would put the second, a surrogate pair, before the first.
    String[] names = {"\uFF5E", "\uD83D\uDE00", "\uD83D\uDE01"};
    assertThat(
            EncodedOrder.compare(
                ValueEncoding.encodeString(names[0]), ValueEncoding.encodeString(names[1])))
        .isNegative();
    assertThat(names[0].compareTo(names[1])).isPositive();
    writer.publish(IndexWriter.manifest(1, writer.dataFile(2 * FILES, columns(names))));
    for (String name : names) {
      assertThat(kept(equal(name, 33))).isEqualTo(only(3));
    }
  }

  @Test
  void statisticsAreReadOnce() throws Exception {
    ObjectNode dataFile = writer.dataFile(1000, columns("a", "b"));
    writer.publish(IndexWriter.manifest(1, dataFile));
    assertThat(kept(equal("a", 123))).isEqualTo(only(12));
    Files.delete(writer.directory().resolve(dataFile.get("name").textValue()));
    assertThat(kept(equal("a", 456))).isEqualTo(only(45));
    assertThatThrownBy(() -> kept(equal("b", 456)))
        .as("a column that was not read")
        .isInstanceOf(IndexUnavailableException.class);
  }

  @Test
  void aRecreatedTableIsNotMistakenForTheOldOne() throws Exception {
    writer.publish(IndexWriter.manifest(1, writer.dataFile(1000, columns("a"))));
    assertThat(kept(equal("a", 3))).isEqualTo(only(0));
    List<IndexRow> rows = Collections.singletonList(row("a", 0, 100, 200));
    writer.publish(IndexWriter.manifest(1, writer.dataFile(1000, rows)));
    assertThat(kept(equal("a", 3), listing().subList(0, 2))).isEqualTo(only(1));
  }

  @Test
  void aReaderKeepsTheGenerationThatItOpened() throws Exception {
    writer.publish(IndexWriter.manifest(1, writer.dataFile(1000, columns("a"))));
    StatisticsIndex opened = open();
    List<IndexRow> rows = Collections.singletonList(row("a", 0, 100, 200));
    writer.publish(IndexWriter.manifest(2, writer.dataFile(1000, rows)));
    assertThat(LocalIndex.kept(opened, expression(equal("a", 3)), listing())).isEqualTo(only(0));
    assertThat(opened.generation()).isEqualTo(1);
  }

  @Test
  void aQuerysOwnParquetFilterDoesNotReachTheIndex() throws Exception {
    writer.publish(IndexWriter.manifest(1, writer.dataFile(1000, columns("a"))));
    Configuration configuration = new Configuration();
    ParquetInputFormat.setFilterPredicate(
        configuration,
        FilterApi.eq(FilterApi.binaryColumn("column"), Binary.fromString("nothing")));
    FileSystem fileSystem = FileSystem.newInstanceLocal(configuration);
    StatisticsIndex index =
        ParquetIndex.openIfAny(
                fileSystem,
                new org.apache.hadoop.fs.Path(table.toUri()),
                cache,
                RecordedTimestamps.USUAL)
            .get();
    assertThat(LocalIndex.kept(index, expression(equal("a", 123)), listing())).isEqualTo(only(12));
  }

  @Test
  void manyThreadsWithDifferentFiltersGetTheirOwnAnswers() throws Exception {
    writer.publish(IndexWriter.manifest(1, writer.dataFile(FILES, columns("a", "b", "c"))));
    // So small that entries are constantly evicted.
    cache = new IndexCache(30_000);
    StatisticsIndex shared = open();
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      List<Callable<Void>> queries = new ArrayList<>();
      for (int query = 0; query < 400; query++) {
        int file = query % FILES;
        String column = "abc".substring(query % 3, query % 3 + 1);
        boolean own = query % 2 == 0;
        queries.add(
            () -> {
              StatisticsIndex index = own ? open() : shared;
              assertThat(
                      LocalIndex.kept(index, expression(equal(column, 10L * file + 1)), listing()))
                  .as("files with %s = %d", column, 10 * file + 1)
                  .isEqualTo(only(file));
              return null;
            });
      }
      for (Future<Void> answer : threads.invokeAll(queries)) {
        answer.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }
}
