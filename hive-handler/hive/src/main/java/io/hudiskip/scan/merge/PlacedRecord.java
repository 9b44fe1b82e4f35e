// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.merge;

import org.apache.avro.Schema;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.IndexedRecord;

/**
 * A base file's record that has only the fields needed for merging; others are read on access. If
 * Hudi returns it, the base file's row is unchanged in the slice.
 */
final class PlacedRecord implements GenericRecord {
  private final PlacedRecords file;
  private final long row;
  private final IndexedRecord known;

  PlacedRecord(PlacedRecords file, long row, IndexedRecord known) {
    this.file = file;
    this.row = row;
    this.known = known;
  }

  /** Row number in the base file, from 0. */
  long row() {
    return row;
  }

  @Override
  public Schema getSchema() {
    return file.schema();
  }

  @Override
  public Object get(int position) {
    int own = file.knownPosition(position);
    return own >= 0 ? known.get(own) : file.whole(row).get(position);
  }

  @Override
  public Object get(String name) {
    Schema.Field field = getSchema().getField(name);
    return field == null ? null : get(field.pos());
  }

  @Override
  public void put(int position, Object value) {
    throw new UnsupportedOperationException("records of a base file are read-only");
  }

  @Override
  public void put(String name, Object value) {
    throw new UnsupportedOperationException("records of a base file are read-only");
  }
}
