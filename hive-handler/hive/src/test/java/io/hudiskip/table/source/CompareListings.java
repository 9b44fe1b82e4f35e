// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.table.source;

import io.hudiskip.index.FileVerdicts;
import io.hudiskip.index.LiveFiles;
import io.hudiskip.index.StatisticsIndex;
import io.hudiskip.index.columns.IndexFactory;
import io.hudiskip.table.HudiTable;
import io.hudiskip.table.TableTotals;
import io.hudiskip.table.listing.ListedPartitions;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hudi.common.model.FileSlice;

/**
 * Compares listings from the index with Hudi's own for Python tests. For each table, whose path is
 * a line of input, it prints after {@code =>} either {@code index} and how many partitions it
 * listed, {@code files} and why the index was not used, or {@code DIFFERENT} and how.
 */
public final class CompareListings {
  private CompareListings() {}

  public static void main(String[] arguments) throws Exception {
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      System.out.println("=> " + compared(new Path(line)).replace('\n', ' '));
      System.out.flush();
    }
  }

  private static String compared(Path root) throws Exception {
    Configuration conf = new Configuration(false);
    StatisticsIndex statistics = IndexFactory.open(root.getFileSystem(conf), root);
    Optional<LiveFiles> live = statistics.liveFiles();
    if (!live.isPresent()) {
      return "files: no live files";
    }
    HudiTable table = HudiTable.open(conf, root.toString());
    Candidates candidates;
    Candidates none;
    try {
      IndexCandidates index = IndexCandidates.of(table, live.get(), ListedPartitions.ALL);
      candidates = index.candidates(FileVerdicts.ALL);
      none = index.candidates(files -> new BitSet());
    } catch (SourceUnavailableException e) {
      return "files: " + e.getMessage();
    }
    List<FileSlice> listed = table.latestSlices();
    TableTotals totals = TableTotals.of(listed);
    boolean isSame =
        described(candidates.slices()).equals(described(listed))
            && candidates.slices().size() == listed.size()
            && candidates.totals().files() == totals.files()
            && candidates.totals().bytes() == totals.bytes()
            && none.totals().files() == totals.files();
    return isSame
        ? "index"
        : "DIFFERENT: " + described(candidates.slices()) + " and not " + described(listed);
  }

  private static Set<String> described(List<FileSlice> slices) {
    Set<String> described = new TreeSet<>();
    for (FileSlice slice : slices) {
      described.add(
          String.join(
              " ",
              slice.getPartitionPath(),
              slice.getFileId(),
              slice.getBaseInstantTime(),
              slice.getBaseFile().get().getStoragePath().toUri().getPath(),
              Long.toString(slice.getBaseFile().get().getFileSize()),
              Long.toString(slice.getLogFiles().count())));
    }
    return described;
  }
}
