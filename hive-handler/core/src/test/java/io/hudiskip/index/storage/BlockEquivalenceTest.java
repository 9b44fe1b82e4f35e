// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.index.storage;

import static io.hudiskip.compile.encoding.ValueEncoding.encodeInteger;
import static io.hudiskip.conformance.Expressions.expression;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hudiskip.compile.expression.BloomFilters;
import io.hudiskip.compile.expression.HudiExpression;
import io.hudiskip.conformance.RandomFilters;
import io.hudiskip.index.BaseFile;
import io.hudiskip.index.StatisticsIndex;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The same files are kept however rows are laid out in data files, row groups and blocks: random
 * rows are written in several layouts, and random expressions evaluated on each.
 */
class BlockEquivalenceTest {
  private static final int ROUNDS = 6;
  private static final int EXPRESSIONS = 50;
  private static final int FILES = 40;
  private static final String[] COLUMNS = {"a", "b", "c"};

  @TempDir Path table;
  private final Random random = new Random(20260102);
  private final RandomFilters filters = new RandomFilters(random, COLUMNS);

  @Test
  void theSameFilesAreKeptHoweverRowsAreLaidOut() throws Exception {
    long skipped = 0;
    for (int round = 0; round < ROUNDS; round++) {
      List<IndexRow> first = rows(FILES);
      // A later data file has other rows for some of the files.
      List<IndexRow> second =
          rows(FILES).stream().filter(row -> random.nextInt(4) == 0).collect(Collectors.toList());
      List<BaseFile> listing = listing();
      StatisticsIndex plain = index(first, second, false, false);
      StatisticsIndex inBlocks = index(first, second, true, false);
      StatisticsIndex divided = index(first, second, true, true);
      for (int i = 0; i < EXPRESSIONS; i++) {
        HudiExpression expression = expression(filters.filter(i % 4).nodes);
        BitSet kept = LocalIndex.kept(plain, expression, listing);
        skipped += listing.size() - kept.cardinality();
        assertThat(LocalIndex.kept(inBlocks, expression, listing))
            .as("round %d: with blocks, by %s", round, expression)
            .isEqualTo(kept);
        assertThat(LocalIndex.kept(divided, expression, listing))
            .as("round %d: with blocks and columns divided, by %s", round, expression)
            .isEqualTo(kept);
        // An explanation evaluates over the listing, not over all files before there is one.
        assertThat(LocalIndex.explained(plain, expression, listing))
            .as("round %d: over the listing alone, by %s", round, expression)
            .isEqualTo(kept.cardinality());
      }
    }
    assertThat(skipped)
        .as("skipped files: the check means something only when there are many")
        .isGreaterThan((long) ROUNDS * EXPRESSIONS * FILES / 10);
  }

  private List<IndexRow> rows(int files) {
    List<IndexRow> rows = new ArrayList<>();
    for (String column : COLUMNS) {
      // Clustered, so that blocks can be excluded; a constant now and then.
      int step = random.nextInt(3);
      int spread = random.nextInt(4);
      boolean isComplete = random.nextBoolean();
      String type = random.nextBoolean() ? "int" : "bigint";
      for (int file = 0; file < files; file++) {
        if (isComplete || random.nextInt(10) > 0) {
          rows.add(row(column, file, (long) step * file / 4, spread, type));
        }
      }
    }
    return rows;
  }

  private IndexRow row(String column, int file, long base, int spread, String type) {
    long[] values =
        LongStream.generate(() -> base + random.nextInt(spread + 1)).limit(3).sorted().toArray();
    IndexRow row =
        IndexRow.of(column, partition(file), "f" + file, values[0], values[2]).type(type);
    row.nullCount = (long) random.nextInt(3);
    switch (random.nextInt(12)) {
      case 0:
        row.allNull();
        break;
      case 1:
        row.withoutStatistics();
        break;
      case 2:
        row.lower = null;
        break;
      case 3:
        row.type("smallint");
        break;
      case 4:
        row.values(distinct(values).toArray(new byte[0][]));
        break;
      case 5:
        row.bloom(BloomFilters.bytes(distinct(values), 0.01));
        break;
      default:
        break;
    }
    return row;
  }

  private static List<byte[]> distinct(long[] values) {
    return LongStream.of(values)
        .distinct()
        .mapToObj(v -> encodeInteger(v))
        .collect(Collectors.toList());
  }

  private static String partition(int file) {
    return file % 7 == 0 ? "" : "day=" + file / 10;
  }

  private List<BaseFile> listing() {
    List<BaseFile> listing = new ArrayList<>();
    for (int file = 0; file < FILES; file++) {
      String directory = partition(file).isEmpty() ? "" : partition(file) + "/";
      listing.add(new BaseFile(directory + "f" + file, random.nextInt(10) == 0 ? 99 : 100));
    }
    listing.add(new BaseFile("day=0/unknown", 100));
    Collections.shuffle(listing, random);
    return listing;
  }

  private StatisticsIndex index(
      List<IndexRow> first, List<IndexRow> second, boolean inBlocks, boolean divided)
      throws Exception {
    Path root = table.resolve("table-" + random.nextLong());
    IndexWriter writer = new IndexWriter(root);
    List<ObjectNode> dataFiles = new ArrayList<>();
    for (List<IndexRow> rows : Arrays.asList(first, second)) {
      List<List<IndexRow>> parts = new ArrayList<>();
      if (divided) {
        for (String column : COLUMNS) {
          parts.add(
              rows.stream().filter(row -> row.column.equals(column)).collect(Collectors.toList()));
        }
      } else {
        parts.add(rows);
      }
      for (List<IndexRow> part : parts) {
        if (!part.isEmpty()) {
          dataFiles.add(
              inBlocks
                  ? writer.dataFileInBlocks(3 + random.nextInt(10), part)
                  : writer.dataFile(1000, part));
        }
      }
    }
    writer.publish(IndexWriter.manifest(1, dataFiles.toArray(new ObjectNode[0])));
    return LocalIndex.open(root, new IndexCache(64 << 20));
  }
}
