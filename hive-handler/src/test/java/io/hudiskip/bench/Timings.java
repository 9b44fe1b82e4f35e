/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.File;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;

/** Times pieces of work and writes the times, in milliseconds, as JSON for the Python side. */
final class Timings {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final double NANOS_PER_MILLI = 1e6;
  private static final double NANOS_PER_SECOND = 1e9;

  private final Map<String, ObjectNode> found = new TreeMap<>();

  /** Reads what the Python side asks for. */
  static JsonNode job(String path) throws IOException {
    return JSON.readTree(new File(path));
  }

  /**
   * Does a piece of work again and again.
   *
   * @param work gives the number of rows or files that it found, so that it is not optimized away
   *     and can be checked
   * @param pace {@code warm_up_seconds}, in which it is not timed, for the JVM's compiler, and the
   *     number of {@code repetitions}; the very first one of all is reported apart
   */
  void time(String name, JsonNode pace, Callable<? extends Number> work) throws Exception {
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

  /** Adds a figure that is no time. */
  void figure(String name, long value) {
    found.put(name, JSON.createObjectNode().put("count", value));
  }

  void write(String path) throws IOException {
    JSON.writeValue(new File(path), found);
  }
}
