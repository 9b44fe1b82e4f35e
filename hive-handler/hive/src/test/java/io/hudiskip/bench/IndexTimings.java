// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.bench;

import com.fasterxml.jackson.databind.JsonNode;
import io.hudiskip.compile.expression.HudiExpression;
import io.hudiskip.compile.expression.TermEvaluator;
import io.hudiskip.compile.wire.ExpressionDecoder;
import io.hudiskip.conformance.Hex;
import io.hudiskip.index.BaseFile;
import io.hudiskip.index.columns.IndexFactory;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Times the pruning of a listing by the index: {@code IndexTimings JOB ANSWER}. The index is opened
 * each time, as by every query; {@code cache_bytes} decides whether its columns stay in memory.
 */
final class IndexTimings {
  private IndexTimings() {}

  public static void main(String[] arguments) throws Exception {
    JsonNode job = Timings.job(arguments[0]);
    Configuration configuration = new Configuration();
    configuration.set("hudi.skipping.index.cache.bytes", job.get("cache_bytes").asText());
    Path table = new Path(job.get("table").textValue());
    FileSystem fileSystem = table.getFileSystem(configuration);
    Timings timings = new Timings();
    List<BaseFile> listing = listing(table + "/.hoodie/listing.tsv");
    long before = usedHeap();
    Timings.each(
        job.get("queries"),
        (name, query) -> {
          HudiExpression expression =
              ExpressionDecoder.decode(Hex.decode(query.get("expression").textValue()));
          List<BaseFile> queried =
              listing.subList(0, Math.min(listing.size(), query.get("files").intValue()));
          timings.time(
              name,
              query.get("pace"),
              () ->
                  IndexFactory.open(fileSystem, table)
                      .evaluate(expression, TermEvaluator.NONE)
                      .keeps(queried)
                      .cardinality());
        });
    timings.figure("heap peak", peakHeap());
    timings.figure("heap kept", usedHeap() - before);
    timings.write(arguments[1]);
  }

  private static List<BaseFile> listing(String path) throws IOException {
    List<BaseFile> files = new ArrayList<>();
    for (String line : Files.readAllLines(Paths.get(path), StandardCharsets.UTF_8)) {
      int tab = line.indexOf('\t');
      files.add(new BaseFile(line.substring(tab + 1), Long.parseLong(line.substring(0, tab))));
    }
    return files;
  }

  private static long usedHeap() {
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }

  /** An upper bound: the sum of the peaks of the heap's pools. */
  private static long peakHeap() {
    return ManagementFactory.getMemoryPoolMXBeans().stream()
        .filter(pool -> pool.getType() == MemoryType.HEAP)
        .map(MemoryPoolMXBean::getPeakUsage)
        .mapToLong(usage -> usage.getUsed())
        .sum();
  }
}
