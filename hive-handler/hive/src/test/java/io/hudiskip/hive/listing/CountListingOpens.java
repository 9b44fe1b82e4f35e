// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.listing;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hudiskip.hive.scan.CountingFileSystem;
import io.hudiskip.hive.table.HudiTable;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hudi.common.model.FileSlice;
import org.apache.hudi.metadata.HoodieTableMetadata;
import org.apache.hudi.metadata.MetadataPartitionType;

/**
 * Counts for Python tests how often a listing opens the files of the metadata table that list
 * files.
 *
 * <p>For each table, whose path is a line of input, it prints after {@code =>} an object with the
 * number of {@code slices} of the latest state, and for two listings, of the {@code table} and of
 * all its {@code partitions} by their names, how often each file, by its name, was {@code opened},
 * and how many were {@code left} open.
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
        "table", counted(root, () -> slices.addAll(HudiTable.open(job, root).latestSlices())));
    Set<String> partitions =
        slices.stream().map(FileSlice::getPartitionPath).collect(Collectors.toSet());
    answer.set(
        "partitions", counted(root, () -> HudiTable.open(job, root).latestSlices(partitions)));
    return answer.put("slices", slices.size());
  }

  private static ObjectNode counted(String root, Callable<?> listing) throws Exception {
    Path files =
        new Path(
            HoodieTableMetadata.getMetadataTableBasePath(root),
            MetadataPartitionType.FILES.getPartitionPath());
    Map<String, Integer> before = CountingFileSystem.opens(files);
    int openBefore = CountingFileSystem.openNow(files);
    listing.call();
    ObjectNode counted = JSON.createObjectNode();
    ObjectNode opened = counted.putObject("opened");
    CountingFileSystem.opens(files)
        .forEach(
            (path, count) ->
                opened.put(new Path(path).getName(), count - before.getOrDefault(path, 0)));
    return counted.put("left", CountingFileSystem.openNow(files) - openBefore);
  }
}
