// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hbase;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.hudiskip.compile.expression.TermEvaluator;
import io.hudiskip.compile.plan.PartitionPlan;
import io.hudiskip.compile.wire.PlanDecoder;
import io.hudiskip.conformance.Hex;
import io.hudiskip.table.catalogue.CatalogueGeneration;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;

/**
 * Publishes tables in HBase and looks up plans: {@code PlanLookups QUORUM}. Each input line is a
 * table as JSON with {@code table}, {@code document}, {@code partitions} with their keys, and
 * {@code plans}; the answer has the paths that each plan finds, or null for a plan that selects the
 * whole table.
 */
final class PlanLookups {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String NAME = "plan_lookups";

  private final Configuration conf = new Configuration();
  private final Connection connection;

  private PlanLookups(String quorum) throws IOException {
    conf.set(HBaseSettings.QUORUM, quorum);
    conf.set(HBaseSettings.TABLE, NAME);
    conf.set(HBaseSettings.TIMEOUT_MS, "60000");
    connection = ConnectionFactory.createConnection(Connections.settings(quorum));
  }

  public static void main(String[] arguments) throws Exception {
    PlanLookups lookups = new PlanLookups(arguments[0]);
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      JsonNode table = JSON.readTree(line);
      lookups.publish(table);
      System.out.println("=> " + lookups.found(table));
    }
    System.exit(0); // threads of HBase's client
  }

  private void publish(JsonNode table) throws Exception {
    byte[] document = table.get("document").textValue().getBytes(StandardCharsets.UTF_8);
    RowKeys keys = RowKeys.of(table.get("table").textValue());
    try (Publication publication =
        new Publication(
            connection,
            TableName.valueOf(NAME),
            keys,
            CatalogueGeneration.parse(document).layout())) {
      for (JsonNode partition : table.get("partitions")) {
        byte[] path = partition.get("path").textValue().getBytes(StandardCharsets.UTF_8);
        if (partition.get("key").isNull()) {
          publication.add(path, new byte[0]);
        } else {
          publication.add(bytes(partition.get("key")), path, new byte[0]);
        }
      }
      if (!publication.publish(document)) {
        throw new IllegalStateException("another publication came first");
      }
    }
  }

  private ArrayNode found(JsonNode table) throws Exception {
    Path root = new Path(table.get("table").textValue());
    ArrayNode answers = JSON.createArrayNode();
    for (JsonNode asked : table.get("plans")) {
      PartitionPlan plan = PlanDecoder.decode(bytes(asked));
      if (plan.isWholeTable()) {
        answers.addNull();
      } else {
        ArrayNode paths = answers.addArray();
        new HBaseCatalogue().find(conf, root, plan, TermEvaluator.NONE).paths().forEach(paths::add);
      }
    }
    return answers;
  }

  private static byte[] bytes(JsonNode hex) throws Exception {
    return Hex.decode(hex.textValue());
  }
}
