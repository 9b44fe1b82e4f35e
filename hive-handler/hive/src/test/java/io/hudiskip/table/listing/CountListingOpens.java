// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.table.listing;

import static java.util.Collections.singleton;
import static java.util.stream.Collectors.toList;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hudiskip.index.BaseFile;
import io.hudiskip.index.columns.MetadataTableIndex;
import io.hudiskip.scan.CountingFileSystem;
import io.hudiskip.table.HudiTable;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hudi.common.model.FileSlice;
import org.apache.hudi.common.model.HoodieBaseFile;
import org.apache.hudi.metadata.HoodieTableMetadata;
import org.apache.hudi.metadata.MetadataPartitionType;

/**
 * Counts for Python tests how often a listing and a look-up of column statistics open the files of
 * the metadata table.
 *
 * <p>For each table, whose path is a line of input, it prints after {@code =>} an object with the
 * number of {@code slices} of the latest state, and for two listings, of the {@code table} and of
 * all its {@code partitions} by their names, how often each file that lists files, by its name, was
 * {@code opened}, and how many were {@code left} open. The same is printed of the files with column
 * statistics for a look-up of the {@code statistics} of the column {@code n}, and {@code obstacles}
 * says by column which were not found.
 */
final class CountListingOpens {
  private static final ObjectMapper JSON = new ObjectMapper();

  private CountListingOpens() {}

  public static void main(String[] arguments) throws Exception {
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      System.out.println("=> " + answer(line));
      System.out.flush();
    }
  }

  private static ObjectNode answer(String root) throws Exception {
    JobConf job = new JobConf(false);
    CountingFileSystem.install(job);
    ObjectNode answer = JSON.createObjectNode();
    List<FileSlice> slices = new ArrayList<>();
    answer.set(
        "table",
        counted(
            root,
            MetadataPartitionType.FILES,
            () -> slices.addAll(HudiTable.open(job, root).latestSlices())));
    Set<String> partitions =
        slices.stream().map(FileSlice::getPartitionPath).collect(Collectors.toSet());
    answer.set(
        "partitions",
        counted(
            root,
            MetadataPartitionType.FILES,
            () -> HudiTable.open(job, root).latestSlices(partitions)));
    List<BaseFile> listing = slices.stream().map(CountListingOpens::baseFile).collect(toList());
    MetadataTableIndex index =
        MetadataTableIndex.open(new Path(root), HudiTable.open(job, root)::metaClient)
            .orElseThrow(() -> new IllegalStateException(root + " has no column statistics"));
    Map<String, String> obstacles = new TreeMap<>();
    answer.set(
        "statistics",
        counted(
            root,
            MetadataPartitionType.COLUMN_STATS,
            () -> {
              obstacles.putAll(index.statistics(singleton("n"), listing).obstacles());
              return obstacles;
            }));
    answer.set("obstacles", JSON.valueToTree(obstacles));
    return answer.put("slices", slices.size());
  }

  private static BaseFile baseFile(FileSlice slice) {
    HoodieBaseFile file = slice.getBaseFile().get();
    return new BaseFile(slice.getPartitionPath() + "/" + file.getFileName(), file.getFileSize());
  }

  private static ObjectNode counted(String root, MetadataPartitionType part, Callable<?> reading)
      throws Exception {
    Path files =
        new Path(HoodieTableMetadata.getMetadataTableBasePath(root), part.getPartitionPath());
    Map<String, Integer> before = CountingFileSystem.opens(files);
    int openBefore = CountingFileSystem.openNow(files);
    reading.call();
    ObjectNode counted = JSON.createObjectNode();
    ObjectNode opened = counted.putObject("opened");
    CountingFileSystem.opens(files)
        .forEach(
            (path, count) ->
                opened.put(new Path(path).getName(), count - before.getOrDefault(path, 0)));
    return counted.put("left", CountingFileSystem.openNow(files) - openBefore);
  }
}
