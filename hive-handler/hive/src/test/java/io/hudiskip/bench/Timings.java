// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.File;
import java.io.IOException;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;

/**
 * Times work and writes the milliseconds as JSON for the Python side. Programs run from source use
 * it too.
 */
public final class Timings {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final double NANOS_PER_MILLI = 1e6;
  private static final double NANOS_PER_SECOND = 1e9;

  private final Map<String, ObjectNode> found = new TreeMap<>();

  /** One entry of an object of the job. */
  public interface Entry {
    void accept(String name, JsonNode value) throws Exception;
  }

  /** Reads the job that the Python side wrote. */
  public static JsonNode job(String path) throws IOException {
    return JSON.readTree(new File(path));
  }

  /** Takes the entries of an object one by one. */
  public static void each(JsonNode object, Entry entry) throws Exception {
    Iterator<Map.Entry<String, JsonNode>> fields = object.fields();
    while (fields.hasNext()) {
      Map.Entry<String, JsonNode> field = fields.next();
      entry.accept(field.getKey(), field.getValue());
    }
  }

  /**
   * Repeats work.
   *
   * @param pace {@code warm_up_seconds} for the JVM's compiler, then the number of {@code
   *     repetitions}; the very first call is reported separately
   * @param work returns the number of rows or files found, which the Python side checks
   */
  public void time(String name, JsonNode pace, Callable<? extends Number> work) throws Exception {
    ObjectNode entry = JSON.createObjectNode();
    long start = System.nanoTime();
    Number count = work.call();
    entry.put("first", (System.nanoTime() - start) / NANOS_PER_MILLI);
    long end = start + (long) (NANOS_PER_SECOND * pace.get("warm_up_seconds").doubleValue());
    while (System.nanoTime() < end) {
      work.call();
    }
    ArrayNode times = entry.putArray("times");
    for (int i = 0; i < pace.get("repetitions").intValue(); i++) {
      start = System.nanoTime();
      work.call();
      times.add((System.nanoTime() - start) / NANOS_PER_MILLI);
    }
    entry.put("count", count.longValue());
    found.put(name, entry);
  }

  /** Adds a figure other than a time. */
  void figure(String name, long value) {
    found.put(name, JSON.createObjectNode().put("count", value));
  }

  public void write(String path) throws IOException {
    JSON.writeValue(new File(path), found);
  }
}
