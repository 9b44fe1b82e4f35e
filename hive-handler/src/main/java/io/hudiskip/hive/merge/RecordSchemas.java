/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.merge;

import java.io.Closeable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.avro.Schema;

/**
 * The schemas of the records of one reader, by number, so that a record that was spilled to disk
 * need not carry its own. Hudi's own cache is of a thread, and closing one reader empties it for
 * the others of the thread.
 */
final class RecordSchemas implements Closeable {
  private static final AtomicLong COUNT = new AtomicLong();
  private static final Map<Long, RecordSchemas> OPEN = new ConcurrentHashMap<>();

  private final long reader = COUNT.incrementAndGet();
  private final List<Schema> schemas = Collections.synchronizedList(new ArrayList<>());
  private final Map<Schema, Integer> numbers = new HashMap<>();

  RecordSchemas() {
    OPEN.put(reader, this);
  }

  /** The schema of a record of a reader that is still open. */
  static Schema of(long reader, int number) {
    return OPEN.get(reader).get(number);
  }

  /** Number of the reader, for {@link #of}. */
  long reader() {
    return reader;
  }

  /** Number of a schema. */
  synchronized int number(Schema schema) {
    return numbers.computeIfAbsent(
        schema,
        added -> {
          schemas.add(added);
          return schemas.size() - 1;
        });
  }

  Schema get(int number) {
    return schemas.get(number);
  }

  @Override
  public void close() {
    OPEN.remove(reader);
  }
}
