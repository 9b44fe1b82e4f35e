// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.merge;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import javax.annotation.Nullable;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;
import org.apache.hudi.common.util.collection.ClosableIterator;

/** The {@link PlacedRecord}s of a base file, in row order. */
final class PlacedRecords implements ClosableIterator<IndexedRecord> {

  interface Opener {

    ClosableIterator<IndexedRecord> open(Schema schema) throws IOException;
  }

  private final Opener opener;
  private final Schema schema;
  private final int[] knownPositions;
  private final ClosableIterator<IndexedRecord> known;
  private long row;

  /** Null until a field is requested that is not known. */
  @Nullable private ClosableIterator<IndexedRecord> whole;

  private long wholeRow = -1;
  @Nullable private IndexedRecord wholeRecord;

  /** {@code names} are the fields of {@code schema} that merging needs. */
  PlacedRecords(Opener opener, Schema schema, List<String> names) throws IOException {
    this.opener = opener;
    this.schema = schema;
    Schema narrow = Projections.of(schema, names);
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

  /** Position of a field among the known ones; negative if it is not known. */
  int knownPosition(int position) {
    return knownPositions[position];
  }

  /** The complete record of a row; rows must be requested in order. */
  IndexedRecord whole(long requested) {
    try {
      whole = whole == null ? opener.open(schema) : whole;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    for (; wholeRow < requested; wholeRow++) {
      wholeRecord = whole.next();
    }
    if (wholeRow > requested) {
      throw new IllegalStateException("row " + requested + " is requested after row " + wholeRow);
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
