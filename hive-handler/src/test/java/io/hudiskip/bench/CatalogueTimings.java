/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.bench;

import com.fasterxml.jackson.databind.JsonNode;
import io.hudiskip.SkippingConf;
import io.hudiskip.catalogue.hbase.HBaseCatalogue;
import io.hudiskip.conformance.Hex;
import io.hudiskip.expression.TermEvaluator;
import io.hudiskip.plan.PartitionPlan;
import io.hudiskip.plan.PlanDecoder;
import java.util.Iterator;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/** How long plans take over the catalogue in HBase: {@code CatalogueTimings JOB ANSWER}. */
final class CatalogueTimings {
  private CatalogueTimings() {}

  public static void main(String[] arguments) throws Exception {
    JsonNode asked = Timings.job(arguments[0]);
    Configuration conf = new Configuration();
    asked
        .get("settings")
        .fields()
        .forEachRemaining(setting -> conf.set(setting.getKey(), setting.getValue().textValue()));
    SkippingConf settings = SkippingConf.of(conf);
    Path root = new Path(asked.get("table").textValue());
    Timings timings = new Timings();
    Iterator<Map.Entry<String, JsonNode>> queries = asked.get("queries").fields();
    while (queries.hasNext()) {
      Map.Entry<String, JsonNode> query = queries.next();
      byte[] plan = Hex.decode(query.getValue().get("plan").textValue());
      timings.time(
          query.getKey(),
          query.getValue().get("pace"),
          () -> found(conf, settings, root, PlanDecoder.decode(plan)));
    }
    timings.write(arguments[1]);
    System.exit(0); // threads of HBase's client
  }

  private static int found(Configuration conf, SkippingConf settings, Path root, PartitionPlan plan)
      throws Exception {
    return HBaseCatalogue.find(conf, settings, root, plan, TermEvaluator.NONE).paths().size();
  }
}
