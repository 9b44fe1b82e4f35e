// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.merge;

import java.util.LinkedHashMap;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificData;

/**
 * Generic Avro data whose maps keep the file's entry order, like Hive's readers; Avro itself uses
 * {@code HashMap}. Extends specific data because Parquet asks it for a map's class.
 */
final class OrderedMaps extends SpecificData {
  static final OrderedMaps DATA = new OrderedMaps();

  private OrderedMaps() {}

  /** Null except for maps, since the data is generic. */
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
