// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.listing;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hudiskip.hive.scan.CountingFileSystem;
import io.hudiskip.hive.table.HudiTable;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
 * number of {@code slices} of the latest state, and how often each file, by name, was opened to list
 * the {@code table}, and then to list all its {@code partitions} by their names; and how many of
 * them are {@code open} at the end.
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
    Path files =
        new Path(
            HoodieTableMetadata.getMetadataTableBasePath(root),
            MetadataPartitionType.FILES.getPartitionPath());
    Map<String, Integer> before = CountingFileSystem.opens(files);
    List<FileSlice> slices = HudiTable.open(job, root).latestSlices();
    Map<String, Integer> between = CountingFileSystem.opens(files);
    List<String> partitions =
        slices.stream().map(FileSlice::getPartitionPath).distinct().collect(Collectors.toList());
    HudiTable.open(job, root).latestSlices(partitions);
    ObjectNode answer = JSON.createObjectNode().put("slices", slices.size());
    answer.set("table", JSON.valueToTree(since(before, between)));
    answer.set("partitions", JSON.valueToTree(since(between, CountingFileSystem.opens(files))));
    answer.put("open", CountingFileSystem.openNow(files));
    return answer;
  }

  private static Map<String, Integer> since(
      Map<String, Integer> before, Map<String, Integer> after) {
    Map<String, Integer> opens = new HashMap<>();
    after.forEach(
        (path, count) -> {
          int added = count - before.getOrDefault(path, 0);
          if (added > 0) {
            opens.put(new Path(path).getName(), added);
          }
        });
    return opens;
  }
}
