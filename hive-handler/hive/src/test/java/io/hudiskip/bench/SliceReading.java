// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hudiskip.hive.HudiSkippingInputFormat;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hive.conf.HiveConf;
import org.apache.hadoop.hive.ql.exec.FetchOperator;
import org.apache.hadoop.hive.ql.exec.Utilities;
import org.apache.hadoop.hive.ql.exec.vector.VectorizedRowBatch;
import org.apache.hadoop.hive.ql.exec.vector.VectorizedRowBatchCtx;
import org.apache.hadoop.hive.ql.metadata.VirtualColumn;
import org.apache.hadoop.hive.ql.plan.MapWork;
import org.apache.hadoop.hive.serde2.ColumnProjectionUtils;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfoUtils;
import org.apache.hadoop.mapred.FileInputFormat;
import org.apache.hadoop.mapred.InputSplit;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.RecordReader;
import org.apache.hadoop.mapred.Reporter;

/**
 * Reads tables as a Hive task does, in one thread. For each line on the standard input, a query as
 * JSON, it plans the query, reads all rows and prints their number and the milliseconds; so another
 * program can take turns with it.
 */
final class SliceReading {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final double NANOS_PER_MILLI = 1e6;

  private SliceReading() {}

  public static void main(String[] arguments) throws Exception {
    BufferedReader queries =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String query = queries.readLine(); query != null; query = queries.readLine()) {
      JobConf job = job(JSON.readTree(query));
      long start = System.nanoTime();
      long rows = read(job);
      System.out.println("=> " + rows + " " + (System.nanoTime() - start) / NANOS_PER_MILLI);
    }
  }

  private static JobConf job(JsonNode query) {
    String names = query.get("columns").textValue();
    String types = query.get("types").textValue();
    Path table = new Path(query.get("table").textValue());
    List<Integer> read = new ArrayList<>();
    query.get("read").forEach(position -> read.add(position.intValue()));
    JobConf job = new JobConf(false);
    FileInputFormat.setInputPaths(job, table);
    job.set("columns", names);
    job.set("columns.types", types);
    ColumnProjectionUtils.setReadColumns(job, read);
    if (query.get("batches").booleanValue()) {
      HiveConf.setVar(job, HiveConf.ConfVars.PLAN, "/plan-" + UUID.randomUUID());
      HiveConf.setBoolVar(job, HiveConf.ConfVars.HIVE_VECTORIZATION_ENABLED, true);
      Utilities.setMapWork(job, vectorized(names, types, read));
    } else {
      job.set(FetchOperator.FETCH_OPERATOR_DIRECTORY_LIST, table.toString());
    }
    return job;
  }

  private static MapWork vectorized(String names, String types, List<Integer> read) {
    MapWork work = new MapWork();
    work.setVectorMode(true);
    work.setVectorizedRowBatchCtx(
        new VectorizedRowBatchCtx(
            names.split(","),
            TypeInfoUtils.getTypeInfosFromTypeString(types).toArray(new TypeInfo[0]),
            null,
            read.stream().mapToInt(Integer::intValue).toArray(),
            0,
            0,
            new VirtualColumn[0],
            new String[0],
            null));
    return work;
  }

  private static long read(JobConf job) throws IOException {
    HudiSkippingInputFormat format = new HudiSkippingInputFormat();
    long rows = 0;
    for (InputSplit split : format.getSplits(job, 1)) {
      rows += read(format.getRecordReader(split, job, Reporter.NULL));
    }
    return rows;
  }

  /** Hive declares a reader of rows even where it returns batches. */
  @SuppressWarnings({"unchecked", "rawtypes"})
  private static long read(RecordReader reader) throws IOException {
    try {
      long rows = 0;
      Object key = reader.createKey();
      Object value = reader.createValue();
      while (reader.next(key, value)) {
        rows += value instanceof VectorizedRowBatch ? ((VectorizedRowBatch) value).size : 1;
      }
      return rows;
    } finally {
      reader.close();
    }
  }
}
