/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.merge;

import java.util.LinkedHashMap;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificData;

/**
 * Generic Avro data whose maps keep their entries in the order of the file, as Hive's readers do;
 * Avro's own are {@code HashMap}s. Parquet asks specific data for the class of a map.
 */
final class OrderedMaps extends SpecificData {
  static final OrderedMaps DATA = new OrderedMaps();

  private OrderedMaps() {}

  /** Null for all but maps: they are generic. */
  @Override
  @SuppressWarnings("rawtypes") // as in the superclass
  public Class getClass(Schema schema) {
    return schema.getType() == Schema.Type.MAP ? LinkedHashMap.class : null;
  }

  @Override
  public Object newMap(Object old, int size) {
    return new LinkedHashMap<>(size);
  }
}
