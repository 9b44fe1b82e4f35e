// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.bench;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.stream.StreamSupport;
import org.apache.parquet.filter2.compat.FilterCompat;
import org.apache.parquet.filter2.predicate.FilterApi;
import org.apache.parquet.filter2.predicate.FilterPredicate;
import org.apache.parquet.io.api.Binary;

/**
 * Times parquet-mr on the rows of some columns, read as the RFC's program reads them: {@code
 * ParquetTimings JOB ANSWER}.
 */
final class ParquetTimings {
  private ParquetTimings() {}

  public static void main(String[] arguments) throws Exception {
    JsonNode job = Timings.job(arguments[0]);
    String rows = job.get("rows").textValue();
    Timings timings = new Timings();
    timings.time("full scan", job.get("full_scan_pace"), () -> count(rows, FilterCompat.NOOP));
    Timings.each(
        job.get("columns"),
        (name, columns) -> {
          FilterPredicate ofColumns = any("column", columns);
          JsonNode files = job.get("files").get(name);
          FilterPredicate all =
              files.size() == 0 ? ofColumns : FilterApi.and(ofColumns, any("file_name", files));
          timings.time(name, job.get("pace"), () -> count(rows, FilterCompat.get(all)));
        });
    timings.write(arguments[1]);
  }

  private static FilterPredicate any(String column, JsonNode values) {
    return StreamSupport.stream(values.spliterator(), false)
        .map(value -> Binary.fromString(value.textValue()))
        .map(value -> (FilterPredicate) FilterApi.eq(FilterApi.binaryColumn(column), value))
        .reduce(FilterApi::or)
        .orElseThrow(() -> new IllegalArgumentException(column + ": no values"));
  }

  private static long count(String path, FilterCompat.Filter filter) throws IOException {
    long[] rows = {0};
    PlainParquet.forEach(path, filter, row -> rows[0]++);
    return rows[0];
  }
}
