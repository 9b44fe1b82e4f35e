// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.bench;

import com.fasterxml.jackson.databind.JsonNode;
import io.hudiskip.compile.expression.TermEvaluator;
import io.hudiskip.compile.plan.PartitionPlan;
import io.hudiskip.compile.wire.PlanDecoder;
import io.hudiskip.conformance.Hex;
import io.hudiskip.hbase.HBaseCatalogue;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/** Times the lookups of plans in HBase: {@code CatalogueTimings JOB ANSWER}. */
final class CatalogueTimings {
  private CatalogueTimings() {}

  public static void main(String[] arguments) throws Exception {
    JsonNode job = Timings.job(arguments[0]);
    Configuration conf = new Configuration();
    Timings.each(job.get("settings"), (name, value) -> conf.set(name, value.textValue()));
    Path root = new Path(job.get("table").textValue());
    Timings timings = new Timings();
    Timings.each(
        job.get("queries"),
        (name, query) -> {
          byte[] plan = Hex.decode(query.textValue());
          timings.time(name, job.get("pace"), () -> found(conf, root, PlanDecoder.decode(plan)));
        });
    timings.write(arguments[1]);
    System.exit(0); // threads of HBase's client
  }

  private static int found(Configuration conf, Path root, PartitionPlan plan) throws Exception {
    return new HBaseCatalogue().find(conf, root, plan, TermEvaluator.NONE).paths().size();
  }
}
