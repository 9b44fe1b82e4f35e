// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.bench;

import com.fasterxml.jackson.databind.JsonNode;
import io.hudiskip.hive.HiveJobs;
import io.hudiskip.hive.HudiSkippingInputFormat;
import io.hudiskip.scan.SliceSplit;
import io.hudiskip.table.HudiTable;
import io.hudiskip.table.listing.ListedPartitions;
import io.hudiskip.table.state.QueriedState;
import java.io.IOException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hive.ql.plan.ExprNodeGenericFuncDesc;
import org.apache.hadoop.mapred.InputSplit;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hudi.common.model.HoodieFileGroupId;

/**
 * Times how the file slices of a query are found: {@code PlanningTimings JOB ANSWER}. The table is
 * opened each time, as by every query. {@code NAME, listed} finds the slices of the state that is
 * read, if the query is not about partitions; {@code NAME, planned} makes the splits of a query
 * with its filter.
 */
final class PlanningTimings {
  private PlanningTimings() {}

  public static void main(String[] arguments) throws Exception {
    Timings timings = new Timings();
    Timings.each(
        Timings.job(arguments[0]).get("queries"),
        (name, query) -> {
          String table = query.get("table").textValue();
          JobConf job = job(table, query);
          if (!query.has("days")) {
            timings.time(name + ", listed", query.get("pace"), () -> listed(job, table));
          }
          timings.time(name + ", planned", query.get("pace"), () -> planned(job));
        });
    timings.write(arguments[1]);
  }

  private static JobConf job(String table, JsonNode query) throws Exception {
    JobConf job = pushing(table, query);
    Timings.each(query.get("settings"), (name, value) -> job.set(name, value.asText()));
    return job;
  }

  private static JobConf pushing(String table, JsonNode query) throws Exception {
    if (query.has("days")) {
      JsonNode days = query.get("days");
      return HiveJobs.ofDays(table, days.get(0).textValue(), days.get(1).textValue());
    }
    long first = query.path("id").longValue();
    if (query.has("last_id")) {
      long last = query.get("last_id").longValue();
      return HiveJobs.pushingBetween(
          first, last, HiveJobs.fetch(table, HiveJobs.idBetween(first, last)));
    }
    ExprNodeGenericFuncDesc filter = query.has("id") ? HiveJobs.idEquals(first) : null;
    JobConf job = HiveJobs.fetch(table, filter);
    return filter == null ? job : HiveJobs.pushing(filter, job);
  }

  private static int listed(JobConf job, String location) throws Exception {
    HudiTable table = HudiTable.open(job, location);
    return QueriedState.of(job, table, Optional.empty()).slices(table, ListedPartitions.ALL).size();
  }

  private static int planned(JobConf job) throws IOException {
    Set<HoodieFileGroupId> groups = new HashSet<>();
    for (InputSplit split : new HudiSkippingInputFormat().getSplits(job, 1)) {
      groups.add(((SliceSplit) split).slice().getFileGroupId());
    }
    return groups.size();
  }
}
