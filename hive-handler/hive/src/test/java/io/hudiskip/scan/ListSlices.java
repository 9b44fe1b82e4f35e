// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hudiskip.conformance.Hex;
import io.hudiskip.hive.HiveJobs;
import io.hudiskip.scan.read.SliceRows;
import io.hudiskip.table.HudiTable;
import io.hudiskip.thrift.HudiExpression;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.ql.plan.ExprNodeGenericFuncDesc;
import org.apache.hadoop.io.ArrayWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapred.InputSplit;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.RecordReader;
import org.apache.hudi.common.model.FileSlice;
import org.apache.hudi.common.model.HoodieRecord;
import org.apache.thrift.TDeserializer;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TCompactProtocol;

/**
 * Lists tables under filters for Python tests, as a query in Hive does.
 *
 * <p>A line of input is an object with a {@code table}, its root, and {@code expressions} as hex
 * Thrift bytes. The answer, after {@code =>}, has the file {@code slices} of the latest snapshot,
 * each with its {@code partition}, {@code id}, {@code base} file (or null) and {@code logs}, newest
 * first, as names and sizes, and the {@code rows} that a query reads of it, as Hudi's sequence
 * number and key; and {@code kept}: for each expression the positions of the slices that a query
 * reads.
 */
final class ListSlices {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** The expressions stand for this filter, which the listing itself never evaluates. */
  private static final ExprNodeGenericFuncDesc FILTER = HiveJobs.idEquals(0);

  /** What tells a row from others: a key may be there twice. */
  private static final Set<String> ROW =
      new TreeSet<>(
          Arrays.asList(
              HoodieRecord.COMMIT_SEQNO_METADATA_FIELD, HoodieRecord.RECORD_KEY_METADATA_FIELD));

  private ListSlices() {}

  public static void main(String[] arguments) throws Exception {
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      System.out.println("=> " + answer(JSON.readTree(line)));
      System.out.flush();
    }
  }

  private static ObjectNode answer(JsonNode question) throws Exception {
    String root = question.get("table").textValue();
    ObjectNode answer = JSON.createObjectNode();
    ArrayNode slices = answer.putArray("slices");
    Map<String, Integer> positions = new HashMap<>();
    Map<String, ArrayNode> rows = new HashMap<>();
    for (FileSlice slice : HudiTable.open(new Configuration(false), root).latestSlices()) {
      positions.put(group(slice), positions.size());
      ObjectNode described = slices.addObject();
      describe(slice, described);
      rows.put(group(slice), described.putArray("rows"));
    }
    read(root, rows);
    ArrayNode kept = answer.putArray("kept");
    for (JsonNode expression : question.get("expressions")) {
      ArrayNode of = kept.addArray();
      groups(root, Hex.decode(expression.textValue())).forEach(id -> of.add(positions.get(id)));
    }
    return answer;
  }

  private static void describe(FileSlice slice, ObjectNode into) {
    into.put("partition", slice.getPartitionPath()).put("id", slice.getFileId()).putNull("base");
    if (slice.getBaseFile().isPresent()) {
      file(
          slice.getBaseFile().get().getFileName(),
          slice.getBaseFile().get().getFileSize(),
          into.putArray("base"));
    }
    ArrayNode logs = into.putArray("logs");
    slice.getLogFiles().forEach(log -> file(log.getFileName(), log.getFileSize(), logs.addArray()));
  }

  private static void file(String name, long size, ArrayNode into) {
    into.add(name).add(size);
  }

  private static void read(String root, Map<String, ArrayNode> into) throws Exception {
    JobConf job = HiveJobs.fetch(root, null);
    job.set("columns", String.join(",", ROW));
    job.set("columns.types", "string:string");
    for (InputSplit split : new SplitGenerator(Collections.emptyList()).getSplits(job, 1)) {
      ArrayNode rows = into.get(group(((SliceSplit) split).slice()));
      RecordReader<NullWritable, ArrayWritable> reader = SliceRows.openAll(split, job, ROW);
      try {
        ArrayWritable row = reader.createValue();
        while (reader.next(NullWritable.get(), row)) {
          ArrayNode values = rows.addArray();
          Arrays.stream(row.get()).map(Object::toString).forEach(values::add);
        }
      } finally {
        reader.close();
      }
    }
  }

  /** The file groups of the splits; a base file may have several splits. */
  private static Set<String> groups(String root, byte[] expression) throws Exception {
    JobConf job = HiveJobs.pushing(FILTER, decoded(expression), HiveJobs.fetch(root, FILTER));
    Set<String> groups = new TreeSet<>();
    for (InputSplit split : new SplitGenerator(Collections.emptyList()).getSplits(job, 1)) {
      groups.add(group(((SliceSplit) split).slice()));
    }
    return groups;
  }

  private static HudiExpression decoded(byte[] bytes) throws TException {
    HudiExpression expression = new HudiExpression();
    new TDeserializer(new TCompactProtocol.Factory()).deserialize(expression, bytes);
    return expression;
  }

  private static String group(FileSlice slice) {
    return slice.getPartitionPath() + '/' + slice.getFileId();
  }
}
