/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.bench;

import com.fasterxml.jackson.databind.JsonNode;
import io.hudiskip.conformance.Hex;
import io.hudiskip.expression.HudiExpression;
import io.hudiskip.expression.TermEvaluator;
import io.hudiskip.expression.decoder.ExpressionDecoder;
import io.hudiskip.index.BaseFile;
import io.hudiskip.index.factory.IndexFactory;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * How long a listing takes to be pruned by the index: {@code IndexTimings JOB ANSWER}. Each time
 * the index is opened, as each query does; whether its columns are in memory depends on {@code
 * cache_bytes}.
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
    Iterator<Map.Entry<String, JsonNode>> queries = job.get("queries").fields();
    List<BaseFile> listing = listing(job.get("listing").textValue());
    long before = usedHeap();
    while (queries.hasNext()) {
      Map.Entry<String, JsonNode> query = queries.next();
      JsonNode question = query.getValue();
      HudiExpression expression =
          ExpressionDecoder.decode(Hex.decode(question.get("expression").textValue()));
      List<BaseFile> asked =
          listing.subList(0, Math.min(listing.size(), question.get("files").intValue()));
      timings.time(
          query.getKey(),
          question.get("pace"),
          () ->
              IndexFactory.open(fileSystem, table)
                  .evaluate(expression, TermEvaluator.NONE)
                  .keeps(asked)
                  .cardinality());
    }
    timings.figure("heap peak", peakHeap());
    timings.figure("heap kept", usedHeap() - before);
    timings.write(arguments[1]);
  }

  private static List<BaseFile> listing(String path) throws IOException {
    List<BaseFile> files = new ArrayList<>();
    try (BufferedReader lines = Files.newBufferedReader(Paths.get(path), StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        int tab = line.indexOf('\t');
        files.add(new BaseFile(line.substring(tab + 1), Long.parseLong(line.substring(0, tab))));
      }
    }
    return files;
  }

  private static long usedHeap() {
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }

  /** Greatest sum of what each part of the heap held at its own worst moment: an upper bound. */
  private static long peakHeap() {
    return ManagementFactory.getMemoryPoolMXBeans().stream()
        .filter(pool -> pool.getType() == MemoryType.HEAP)
        .map(MemoryPoolMXBean::getPeakUsage)
        .mapToLong(usage -> usage.getUsed())
        .sum();
  }
}
