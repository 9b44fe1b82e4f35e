/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.catalogue;

import io.hudiskip.hive.table.HudiTable;
import io.hudiskip.hive.table.TableTotals;
import io.hudiskip.index.FileVerdicts;
import io.hudiskip.index.LiveFiles;
import io.hudiskip.index.StatisticsIndex;
import io.hudiskip.index.factory.IndexFactory;
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
 * Holds listings from the index against Hudi's own, for the Python tests: of each table whose path
 * is a line of the input it says, behind {@code =>}, {@code index} and how many partitions it
 * listed, {@code files} and why the index did not serve, or {@code DIFFERENT} and how.
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
    StatisticsIndex index = IndexFactory.open(root.getFileSystem(conf), root);
    Optional<LiveFiles> live = index.liveFiles();
    if (!live.isPresent()) {
      return "files: no live files";
    }
    HudiTable table = HudiTable.open(conf, root.toString());
    Candidates candidates;
    Candidates none;
    try {
      candidates = CatalogueListing.of(table, live.get(), FileVerdicts.ALL);
      none = CatalogueListing.of(table, live.get(), files -> new BitSet());
    } catch (UnknownChangesException e) {
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
