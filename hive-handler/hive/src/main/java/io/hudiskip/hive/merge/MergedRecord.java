// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.merge;

import java.util.Properties;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;
import org.apache.hudi.common.model.HoodieAvroIndexedRecord;
import org.apache.hudi.common.model.HoodieKey;

/** A record that keeps the ordering value it was read with, which Hudi would recompute. */
final class MergedRecord extends HoodieAvroIndexedRecord {
  private static final long serialVersionUID = 1L;

  private final transient Comparable<?> orderingValue;

  MergedRecord(HoodieKey key, IndexedRecord data, Comparable<?> orderingValue) {
    super(key, data);
    this.orderingValue = orderingValue;
  }

  @Override
  public Comparable<?> doGetOrderingValue(Schema recordSchema, Properties properties) {
    return orderingValue;
  }
}
