/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.bench;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Iterator;
import java.util.Map;
import org.apache.parquet.filter2.compat.FilterCompat;
import org.apache.parquet.filter2.predicate.FilterApi;
import org.apache.parquet.filter2.predicate.FilterPredicate;
import org.apache.parquet.io.api.Binary;

/**
 * How long parquet-mr takes for the rows of some columns, read as the RFC's program reads them:
 * {@code ParquetTimings JOB ANSWER}.
 */
final class ParquetTimings {
  private ParquetTimings() {}

  public static void main(String[] arguments) throws Exception {
    JsonNode job = Timings.job(arguments[0]);
    String rows = job.get("rows").textValue();
    Timings timings = new Timings();
    timings.time("full scan", job.get("full_scan_pace"), () -> count(rows, FilterCompat.NOOP));
    Iterator<Map.Entry<String, JsonNode>> queries = job.get("columns").fields();
    while (queries.hasNext()) {
      Map.Entry<String, JsonNode> query = queries.next();
      FilterCompat.Filter filter =
          FilterCompat.get(
              and(
                  any("column", query.getValue()),
                  any("file_name", job.get("files").get(query.getKey()))));
      timings.time(query.getKey(), job.get("pace"), () -> count(rows, filter));
    }
    timings.write(arguments[1]);
  }

  private static FilterPredicate and(FilterPredicate left, FilterPredicate right) {
    return right == null ? left : FilterApi.and(left, right);
  }

  /** The column is one of the values; null, which is no condition, if there are none. */
  private static FilterPredicate any(String column, JsonNode values) {
    FilterPredicate any = null;
    for (JsonNode value : values) {
      FilterPredicate one =
          FilterApi.eq(FilterApi.binaryColumn(column), Binary.fromString(value.textValue()));
      any = any == null ? one : FilterApi.or(any, one);
    }
    return any;
  }

  private static long count(String path, FilterCompat.Filter filter) throws Exception {
    try (PlainParquet rows = PlainParquet.open(path, filter)) {
      return rows.count();
    }
  }
}
