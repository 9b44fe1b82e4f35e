// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.index.storage;

import static io.hudiskip.conformance.Expressions.and;
import static io.hudiskip.conformance.Expressions.equal;
import static io.hudiskip.conformance.Expressions.expression;
import static io.hudiskip.conformance.Expressions.leaf;
import static io.hudiskip.conformance.Expressions.or;
import static io.hudiskip.index.storage.LocalIndex.only;
import static io.hudiskip.index.storage.SortedTable.FILES;
import static io.hudiskip.index.storage.SortedTable.columns;
import static io.hudiskip.index.storage.SortedTable.fileName;
import static io.hudiskip.index.storage.SortedTable.listing;
import static io.hudiskip.index.storage.SortedTable.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hudiskip.compile.encoding.ValueEncoding;
import io.hudiskip.index.BaseFile;
import io.hudiskip.index.IndexUnavailableException;
import io.hudiskip.thrift.ExpressionNode;
import io.hudiskip.thrift.ExpressionOperator;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Blocks that the manifest excludes are not read, unless another row than theirs may count. */
class BlockPruningTest {
  private static final int FILES_PER_BLOCK = 10;

  @TempDir Path table;
  private IndexWriter writer;

  @BeforeEach
  void newIndex() throws Exception {
    writer = new IndexWriter(table);
  }

  private BitSet kept(List<ExpressionNode> nodes, List<BaseFile> listing) throws Exception {
    return LocalIndex.kept(LocalIndex.open(table, new IndexCache(0)), expression(nodes), listing);
  }

  private BitSet kept(List<ExpressionNode> nodes) throws Exception {
    return kept(nodes, listing());
  }

  /** Makes every row group of a kind and column unreadable but one. */
  private void damageAllBut(ObjectNode dataFile, String kind, String column, int firstFile)
      throws Exception {
    try (RandomAccessFile file =
        new RandomAccessFile(
            writer.directory().resolve(dataFile.get("name").textValue()).toFile(), "rw")) {
      for (JsonNode group : dataFile.get("row_groups")) {
        if (group.get("kind").textValue().equals(kind)
            && group.get("first_column").textValue().equals(column)
            && group.get("first_file").intValue() != firstFile) {
          file.seek(group.get("offset").longValue());
          file.write(new byte[10]);
        }
      }
    }
  }

  @Test
  void onlyBlocksThatMayMatchAreRead() throws Exception {
    ObjectNode dataFile = writer.dataFileInBlocks(FILES_PER_BLOCK, columns("a", "b"));
    damageAllBut(dataFile, "range", "a", 20);
    damageAllBut(dataFile, "range", "b", 20);
    writer.publish(IndexWriter.manifest(1, dataFile));
    List<ExpressionNode> both = and(equal("a", 234), equal("b", 235));
    assertThat(kept(both)).isEqualTo(only(23));
    assertThatThrownBy(() -> kept(equal("a", 134)))
        .as("a block that was made unreadable")
        .isInstanceOf(IndexUnavailableException.class);
    List<ExpressionNode> neither = and(equal("a", 134), equal("b", 235));
    assertThat(kept(neither)).as("files of a filter that no block passes").isEqualTo(only());
  }

  @Test
  void filesOfAnotherSizeAreKeptThoughTheirBlockIsExcluded() throws Exception {
    writer.publish(IndexWriter.manifest(1, writer.dataFileInBlocks(FILES_PER_BLOCK, columns("a"))));
    List<BaseFile> listing = new ArrayList<>(listing());
    listing.set(50, new BaseFile("p/" + fileName(50), 101));
    listing.add(new BaseFile("p/other", 100));
    assertThat(kept(equal("a", 234), listing)).isEqualTo(only(23, 50, FILES));
  }

  @Test
  void aRowOfALaterDataFileCountsThoughTheBlockIsExcluded() throws Exception {
    ObjectNode base = writer.dataFileInBlocks(FILES_PER_BLOCK, columns("a"));
    ObjectNode delta = writer.dataFile(1000, Collections.singletonList(row("a", 50, 230, 240)));
    writer.publish(IndexWriter.manifest(1, base, delta));
    assertThat(kept(equal("a", 234))).isEqualTo(only(23, 50));
    writer.publish(IndexWriter.manifest(2, delta, base));
    assertThat(kept(equal("a", 234))).isEqualTo(only(23));
  }

  @Test
  void aBlockSaysNothingOfFilesThatALaterDataFileHasWithAnotherColumn() throws Exception {
    ObjectNode base = writer.dataFileInBlocks(FILES_PER_BLOCK, columns("a"));
    ObjectNode delta = writer.dataFile(1000, Collections.singletonList(row("b", 50, 0, 9)));
    writer.publish(IndexWriter.manifest(1, base, delta));
    List<ExpressionNode> either = or(equal("a", 234), equal("b", 5));
    assertThat(kept(either).get(50)).as("a file with b = 5 is kept").isTrue();
    assertThat(kept(equal("a", 234))).isEqualTo(only(23));
  }

  @Test
  void dataFilesThatDivideTheColumnsAreExcludedTogether() throws Exception {
    ObjectNode first = writer.dataFileInBlocks(FILES_PER_BLOCK, columns("a"));
    ObjectNode second = writer.dataFileInBlocks(FILES_PER_BLOCK, columns("b"));
    damageAllBut(first, "range", "a", 20);
    damageAllBut(second, "range", "b", 20);
    writer.publish(IndexWriter.manifest(1, first, second));
    List<ExpressionNode> either = or(equal("a", 234), equal("b", 255));
    assertThat(kept(either)).isEqualTo(only(23, 25));
  }

  @Test
  void aBlockThatLacksAFilesRowIsNotExcluded() throws Exception {
    List<IndexRow> rows = columns("a");
    rows.addAll(columns("b"));
    rows.removeIf(row -> row.column.equals("a") && row.fileName.equals(fileName(55)));
    writer.publish(IndexWriter.manifest(1, writer.dataFileInBlocks(FILES_PER_BLOCK, rows)));
    assertThat(kept(equal("a", 234))).isEqualTo(only(23, 55));
  }

  @Test
  void absentBoundsAndNullsOfSomeFilesDoNotHideOthers() throws Exception {
    List<IndexRow> rows = columns("a");
    rows.get(31).withoutStatistics();
    rows.get(42).allNull();
    rows.subList(50, 60).forEach(IndexRow::allNull);
    writer.publish(IndexWriter.manifest(1, writer.dataFileInBlocks(FILES_PER_BLOCK, rows)));
    assertThat(kept(equal("a", 234))).isEqualTo(only(23, 31));
    List<ExpressionNode> isNull = leaf(ExpressionOperator.IS_NULL, "a", "int");
    assertThat(kept(isNull)).isEqualTo(only(31, 42, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59));
  }

  @Test
  void filtersAndSetsAreReadOnlyOfBlocksWithFilesThatBoundsKeep() throws Exception {
    List<IndexRow> rows = columns("a", "b");
    rows.forEach(row -> row.values(row.lower, row.upper));
    ObjectNode dataFile = writer.dataFileInBlocks(FILES_PER_BLOCK, rows);
    damageAllBut(dataFile, "values", "a", 20);
    damageAllBut(dataFile, "values", "b", -1);
    writer.publish(IndexWriter.manifest(1, dataFile));
    assertThat(kept(equal("a", 234))).isEqualTo(only());
    assertThat(kept(equal("a", 239))).isEqualTo(only(23));
    List<ExpressionNode> range =
        leaf(ExpressionOperator.LT, "b", "int", ValueEncoding.encodeInteger(11));
    assertThat(kept(range)).as("an order comparison asks for no set").isEqualTo(only(0, 1));
  }
}
