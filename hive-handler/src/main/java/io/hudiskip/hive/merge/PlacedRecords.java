/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.merge;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import javax.annotation.Nullable;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;
import org.apache.hudi.avro.HoodieAvroUtils;
import org.apache.hudi.common.util.collection.ClosableIterator;

/** The {@link PlacedRecord}s of a base file, in the order of its rows. */
final class PlacedRecords implements ClosableIterator<IndexedRecord> {

  /** Reads a base file. */
  interface Opener {

    /** Its records in a schema. */
    ClosableIterator<IndexedRecord> open(Schema schema) throws IOException;
  }

  private final Opener opener;
  private final Schema schema;
  private final int[] knownPositions;
  private final ClosableIterator<IndexedRecord> known;
  private long row;

  /** Null until a field is asked for that is not among the known ones. */
  @Nullable private ClosableIterator<IndexedRecord> whole;

  private long wholeRow = -1;
  @Nullable private IndexedRecord wholeRecord;

  /**
   * @param schema of the records
   * @param names of its fields that merging goes by
   */
  PlacedRecords(Opener opener, Schema schema, List<String> names) throws IOException {
    this.opener = opener;
    this.schema = schema;
    Schema narrow = HoodieAvroUtils.generateProjectionSchema(schema, names);
    knownPositions = new int[schema.getFields().size()];
    for (Schema.Field field : schema.getFields()) {
      Schema.Field own = narrow.getField(field.name());
      knownPositions[field.pos()] = own == null ? -1 : own.pos();
    }
    known = opener.open(narrow);
  }

  Schema schema() {
    return schema;
  }

  /** Where the known fields have a field of the schema; negative if they have not. */
  int knownPosition(int position) {
    return knownPositions[position];
  }

  /** The record of a row with all fields; rows are asked for in their order. */
  IndexedRecord whole(long asked) {
    try {
      if (whole == null) {
        whole = opener.open(schema);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    for (; wholeRow < asked; wholeRow++) {
      wholeRecord = whole.next();
    }
    if (wholeRow > asked) {
      throw new IllegalStateException("row " + asked + " is asked for after row " + wholeRow);
    }
    return wholeRecord;
  }

  @Override
  public boolean hasNext() {
    return known.hasNext();
  }

  @Override
  public IndexedRecord next() {
    return new PlacedRecord(this, row++, known.next());
  }

  @Override
  public void close() {
    known.close();
    if (whole != null) {
      whole.close();
    }
  }
}
