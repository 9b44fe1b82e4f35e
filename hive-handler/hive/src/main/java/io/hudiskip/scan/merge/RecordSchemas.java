// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.merge;

import java.io.Closeable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.avro.Schema;
import org.apache.hudi.common.schema.HoodieSchema;

/**
 * The numbered record schemas of one reader, so that a spilled record need not carry its own.
 * Hudi's cache is per thread, and closing one reader empties it for the thread's others.
 */
final class RecordSchemas implements Closeable {
  private static final AtomicLong COUNT = new AtomicLong();
  private static final Map<Long, RecordSchemas> OPEN = new ConcurrentHashMap<>();

  private final long reader = COUNT.incrementAndGet();
  private final List<HoodieSchema> schemas = Collections.synchronizedList(new ArrayList<>());
  private final Map<Schema, Integer> numbers = new HashMap<>();

  RecordSchemas() {
    OPEN.put(reader, this);
  }

  /** The schema of a record whose reader is still open. */
  static Schema of(long reader, int number) {
    return OPEN.get(reader).get(number).toAvroSchema();
  }

  long reader() {
    return reader;
  }

  synchronized int number(Schema schema) {
    return numbers.computeIfAbsent(
        schema,
        added -> {
          schemas.add(HoodieSchema.fromAvroSchema(added));
          return schemas.size() - 1;
        });
  }

  HoodieSchema get(int number) {
    return schemas.get(number);
  }

  @Override
  public void close() {
    OPEN.remove(reader);
  }
}
