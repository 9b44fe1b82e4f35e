// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.unindexed;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hudiskip.compile.encoding.HiveType;
import io.hudiskip.compile.statistics.ColumnStatistics;
import io.hudiskip.compile.statistics.ColumnVector;
import io.hudiskip.compile.statistics.StatisticsTable;
import io.hudiskip.compile.statistics.Supplemented;
import io.hudiskip.index.BaseFile;
import io.hudiskip.index.IndexState;
import io.hudiskip.index.IndexUnavailableException;
import io.hudiskip.index.columns.MetadataTableIndex;
import io.hudiskip.index.columns.ProvenStatistics;
import io.hudiskip.scan.IndexedSlices;
import io.hudiskip.table.HudiTable;
import io.hudiskip.table.UnreadableTableException;
import io.hudiskip.table.commits.CommitTimes;
import io.hudiskip.table.listing.SnapshotListing;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.annotation.Nullable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hudi.common.model.FileSlice;
import org.apache.hudi.common.model.HoodieBaseFile;
import org.apache.hudi.common.model.HoodieLogFile;

/**
 * Tells {@code hudi-skip explain} what a query knows of a table without an index. {@code hudi-skip}
 * starts it as {@code UnindexedTableMain ROOT IS_READ_OPTIMIZED}; neither Hive nor Spark runs.
 *
 * <p>The first line of output is an object with the {@code source} of statistics, {@code
 * has_statistics}, the last {@code instant}, and the {@code slices}: arrays of files, each with its
 * {@code path}, {@code size}, {@code commit_time} and {@code is_log}, the base file first. Then
 * each line of input is an array of lower-case columns, and the answer is an object with {@code
 * statistics}, by column and file, and {@code obstacles}, by column. Bounds are in base64, and what
 * is unknown is missing. If it fails, the last line on stderr begins with {@code error: }, or with
 * {@code refused: } if queries in Hive fail with the same message.
 */
public final class UnindexedTableMain {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HudiTable table;
  private final List<FileSlice> slices;
  private final IndexedSlices files;
  private final Optional<MetadataTableIndex> index;

  private UnindexedTableMain(Path root, boolean isReadOptimized)
      throws IOException, UnreadableTableException, IndexUnavailableException {
    this.table = HudiTable.open(new Configuration(), root.toString());
    this.slices = table.slices(null, isReadOptimized);
    // hudi-skip knows which slices have rows that are none of their files' records.
    this.files = IndexedSlices.of(slices, true);
    this.index = MetadataTableIndex.open(root, table::metaClient);
  }

  public static void main(String[] arguments) {
    PrintStream answers = System.out;
    System.setOut(System.err); // for libraries that print or log
    try {
      UnindexedTableMain main =
          new UnindexedTableMain(new Path(arguments[0]), Boolean.parseBoolean(arguments[1]));
      answers.println(main.listing());
      answers.flush();
      BufferedReader requests =
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      for (String line = requests.readLine(); line != null; line = requests.readLine()) {
        Set<String> columns = new LinkedHashSet<>();
        JSON.readTree(line).forEach(column -> columns.add(column.textValue()));
        answers.println(main.statistics(columns));
        answers.flush();
      }
    } catch (UnreadableTableException e) {
      System.err.println("refused: " + e.getMessage());
      System.exit(1);
    } catch (Exception | LinkageError e) { // the process has no other way to report it
      System.err.println("error: " + e);
      System.exit(1);
    }
  }

  private JsonNode listing() {
    ObjectNode answer = JSON.createObjectNode();
    String root = table.metaClient().getBasePath().toString();
    IndexState state =
        index
            .map(MetadataTableIndex::state)
            .orElseGet(() -> IndexState.none(MetadataTableIndex.missing(new Path(root))));
    answer.put("source", state.text());
    answer.put("has_statistics", index.isPresent());
    answer.put(
        "instant",
        SnapshotListing.timeline(table.metaClient())
            .filterCompletedInstants()
            .lastInstant()
            .map(last -> last.requestedTime())
            .orElse(""));
    ArrayNode all = answer.putArray("slices");
    slices.forEach(slice -> describe(slice, all.addArray()));
    return answer;
  }

  private static void describe(FileSlice slice, ArrayNode into) {
    if (slice.getBaseFile().isPresent()) {
      HoodieBaseFile base = slice.getBaseFile().get();
      file(slice, base.getFileName(), base.getFileSize(), base.getCommitTime(), into)
          .put("is_log", false);
    }
    slice
        .getLogFiles()
        .sorted(HoodieLogFile.getLogFileComparator())
        .forEach(
            log ->
                file(slice, log.getFileName(), log.getFileSize(), log.getDeltaCommitTime(), into)
                    .put("is_log", true));
  }

  private static ObjectNode file(
      FileSlice slice, String name, long size, String commitTime, ArrayNode into) {
    return into.addObject()
        .put("path", IndexedSlices.path(slice, name))
        .put("size", size)
        .put("commit_time", commitTime);
  }

  private JsonNode statistics(Collection<String> columns) throws IndexUnavailableException {
    List<BaseFile> listing = files.files();
    Map<String, String> obstacles = Collections.emptyMap();
    StatisticsTable known = StatisticsTable.ofNothing(listing.size());
    if (index.isPresent()) {
      ProvenStatistics proven = index.get().statistics(columns, listing);
      obstacles = proven.obstacles();
      known = proven.table();
    }
    if (columns.contains(CommitTimes.COLUMN)) {
      known =
          new Supplemented(
              known,
              new CommitTimes(table.lastCommits(), Optional.empty()).of(files.slicesOfFiles()));
    }
    ObjectNode answer = JSON.createObjectNode();
    ObjectNode statistics = answer.putObject("statistics");
    for (String column : columns) {
      ObjectNode byFile = statistics.putObject(column);
      Optional<ColumnVector> vector = known.column(column);
      for (int i = 0; vector.isPresent() && i < listing.size(); i++) {
        describe(vector.get().range(i), listing.get(i).relativePath(), byFile);
      }
    }
    answer.set("obstacles", JSON.valueToTree(obstacles));
    return answer;
  }

  private static void describe(@Nullable ColumnStatistics of, String path, ObjectNode into) {
    if (of == null) {
      return;
    }
    ObjectNode known = into.putObject(path);
    known.put("type", of.type().map(HiveType::toString).orElseThrow(AssertionError::new));
    putIfKnown(known, "lower", of.lower());
    putIfKnown(known, "upper", of.upper());
    putIfKnown(known, "null_count", of.nullCount());
    putIfKnown(known, "value_count", of.valueCount());
  }

  private static void putIfKnown(ObjectNode into, String name, @Nullable byte[] bound) {
    if (bound != null) {
      into.put(name, bound);
    }
  }

  private static void putIfKnown(ObjectNode into, String name, long count) {
    if (count != ColumnStatistics.UNKNOWN_COUNT) {
      into.put(name, count);
    }
  }
}
