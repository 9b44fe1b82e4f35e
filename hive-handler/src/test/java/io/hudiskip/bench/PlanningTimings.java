/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.bench;

import com.fasterxml.jackson.databind.JsonNode;
import io.hudiskip.hive.HiveJobs;
import io.hudiskip.hive.HudiSkippingInputFormat;
import io.hudiskip.hive.mode.QueryMode;
import io.hudiskip.hive.scan.SliceSplit;
import io.hudiskip.hive.table.HudiTable;
import java.io.IOException;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hive.ql.plan.ExprNodeGenericFuncDesc;
import org.apache.hadoop.mapred.InputSplit;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hudi.common.model.HoodieFileGroupId;

/**
 * How long it takes to find the file slices of a query: {@code PlanningTimings JOB ANSWER}. Each
 * time the table is opened, as each query does. {@code NAME, listed} finds the slices of the state
 * that is read, {@code NAME, planned} makes the splits of a query, with its filter.
 */
final class PlanningTimings {
  private PlanningTimings() {}

  public static void main(String[] arguments) throws Exception {
    JsonNode asked = Timings.job(arguments[0]);
    Timings timings = new Timings();
    Iterator<Map.Entry<String, JsonNode>> queries = asked.get("queries").fields();
    while (queries.hasNext()) {
      Map.Entry<String, JsonNode> query = queries.next();
      String table = query.getValue().get("table").textValue();
      JobConf job = job(table, query.getValue());
      JsonNode pace = query.getValue().get("pace");
      timings.time(query.getKey() + ", listed", pace, () -> listed(job, table));
      timings.time(query.getKey() + ", planned", pace, () -> planned(job));
    }
    timings.write(arguments[1]);
  }

  private static JobConf job(String table, JsonNode query) throws Exception {
    JobConf job;
    if (query.has("last_id")) {
      long first = query.get("id").longValue();
      long last = query.get("last_id").longValue();
      job =
          HiveJobs.pushingBetween(
              first, last, HiveJobs.fetch(table, HiveJobs.idBetween(first, last)));
    } else if (query.has("id")) {
      ExprNodeGenericFuncDesc filter = HiveJobs.idEquals(query.get("id").longValue());
      job = HiveJobs.pushing(filter, HiveJobs.fetch(table, filter));
    } else {
      job = HiveJobs.fetch(table, null);
    }
    query
        .get("settings")
        .fields()
        .forEachRemaining(e -> job.set(e.getKey(), e.getValue().asText()));
    return job;
  }

  private static int listed(JobConf job, String location) throws Exception {
    HudiTable table = HudiTable.open(job, location);
    return table.slices(QueryMode.of(job, table, Optional.empty()).listing(table)).size();
  }

  private static int planned(JobConf job) throws IOException {
    Set<HoodieFileGroupId> groups = new HashSet<>();
    for (InputSplit split : new HudiSkippingInputFormat().getSplits(job, 1)) {
      groups.add(((SliceSplit) split).slice().getFileGroupId());
    }
    return groups.size();
  }
}
