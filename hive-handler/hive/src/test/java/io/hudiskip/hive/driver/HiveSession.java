// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.driver;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.apache.hadoop.hive.common.io.SessionStream;
import org.apache.hadoop.hive.conf.HiveConf;
import org.apache.hadoop.hive.metastore.api.FieldSchema;
import org.apache.hadoop.hive.metastore.api.Schema;
import org.apache.hadoop.hive.ql.IDriver;
import org.apache.hadoop.hive.ql.processors.CommandProcessor;
import org.apache.hadoop.hive.ql.processors.CommandProcessorException;
import org.apache.hadoop.hive.ql.processors.CommandProcessorFactory;
import org.apache.hadoop.hive.ql.session.SessionState;
import org.apache.hadoop.hive.serde2.SerDeUtils;
import org.apache.hadoop.hive.serde2.thrift.ThriftFormatter;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;

/**
 * A session of Hive without HiveServer2, as {@code tests/e2e/harness/hive_release.py} starts it.
 *
 * <p>Reads statements from its standard input, each a JSON string on a line of its own, and answers
 * each with a line of JSON: {@code {"types": [...], "rows": [[...]]}}, whose values are strings or
 * null, or {@code {"error": "..."}}.
 */
public final class HiveSession {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** The newest protocol of HiveServer2: with it, columns of bytes stay bytes. */
  private static final int PROTOCOL = 10;

  private final HiveConf conf;

  private HiveSession(HiveConf conf) {
    this.conf = conf;
  }

  public static void main(String[] arguments) throws IOException {
    // Hive prints to the standard output too.
    PrintStream answers = System.out;
    System.setOut(System.err);
    DefaultMetricsSystem.setMiniClusterMode(true); // an application master may follow another
    HiveConf conf = new HiveConf(SessionState.class);
    // As HiveServer2 does it: rows are arrays of Java's values.
    conf.set(SerDeUtils.LIST_SINK_OUTPUT_FORMATTER, ThriftFormatter.class.getName());
    conf.setInt(SerDeUtils.LIST_SINK_OUTPUT_PROTOCOL, PROTOCOL);
    SessionState state = SessionState.start(new SessionState(conf));
    state.setIsHiveServerQuery(true);
    HiveSession session = new HiveSession(state.getConf());
    BufferedReader statements =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = statements.readLine(); line != null; line = statements.readLine()) {
      byte[] answer = JSON.writeValueAsBytes(session.answer(JSON.readValue(line, String.class)));
      answers.write(answer, 0, answer.length);
      answers.write('\n');
      answers.flush();
    }
    state.close();
  }

  private ObjectNode answer(String statement) {
    try {
      return run(statement);
    } catch (CommandProcessorException
        | IOException
        | SQLException
        | RuntimeException
        | LinkageError e) {
      return JSON.createObjectNode().put("error", String.valueOf(e.getMessage()));
    }
  }

  private ObjectNode run(String statement)
      throws CommandProcessorException, IOException, SQLException {
    String[] words = statement.trim().split("\\s+");
    CommandProcessor processor = CommandProcessorFactory.get(words, conf);
    if (!(processor instanceof IDriver)) {
      return runCommand(processor, statement.trim().substring(words[0].length()).trim());
    }
    IDriver driver = (IDriver) processor;
    try {
      driver.run(statement);
      return rows(driver);
    } finally {
      driver.close();
      driver.destroy();
    }
  }

  /** Runs a command such as {@code SET}, which prints its answer. */
  private static ObjectNode runCommand(CommandProcessor processor, String arguments)
      throws CommandProcessorException, IOException {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    SessionState.get().out = new SessionStream(printed, true, "UTF-8");
    processor.run(arguments);
    ObjectNode answer = JSON.createObjectNode();
    answer.putArray("types").add("string");
    ArrayNode rows = answer.putArray("rows");
    String text = new String(printed.toByteArray(), StandardCharsets.UTF_8);
    for (String line : text.isEmpty() ? new String[0] : text.split("\n")) {
      rows.addArray().add(line);
    }
    return answer;
  }

  private static ObjectNode rows(IDriver driver) throws IOException {
    ObjectNode answer = JSON.createObjectNode();
    ArrayNode types = answer.putArray("types");
    ArrayNode rows = answer.putArray("rows");
    Schema schema = driver.getSchema();
    if (schema == null || schema.getFieldSchemas() == null) {
      return answer;
    }
    for (FieldSchema field : schema.getFieldSchemas()) {
      types.add(field.getType());
    }
    List<Object> fetched = new ArrayList<>();
    while (driver.getResults(fetched)) {
      for (Object row : fetched) {
        ArrayNode values = rows.addArray();
        // Lines of text come without a fetch, such as those of EXPLAIN.
        for (Object value : row instanceof Object[] ? (Object[]) row : new Object[] {row}) {
          values.add(text(value));
        }
      }
      fetched.clear();
    }
    return answer;
  }

  private static String text(Object value) {
    if (value == null) {
      return null;
    }
    return value instanceof byte[]
        ? Base64.getEncoder().encodeToString((byte[]) value)
        : value.toString();
  }
}
