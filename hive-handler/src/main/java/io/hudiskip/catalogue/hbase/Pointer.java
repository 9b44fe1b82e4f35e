/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.catalogue.hbase;

import java.util.Optional;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The row of a table that says which publication is in force. Its cells change together or not at
 * all. Immutable.
 *
 * <p>Rows of the publication that it names, and of the one before, stay as they are: see {@link
 * Publication}.
 */
final class Pointer {
  /** Counts publications, those too that never came into force. */
  static final byte[] LAST_NUMBER = Bytes.toBytes("last");

  private static final byte[] CURRENT = Bytes.toBytes("current");
  private static final byte[] PREVIOUS = Bytes.toBytes("previous");
  private static final byte[] DOCUMENT = Bytes.toBytes("document");

  private final long current;
  private final long previous;
  private final byte[] document;

  private Pointer(long current, long previous, byte[] document) {
    this.current = current;
    this.previous = previous;
    this.document = document;
  }

  /** Reads the row. */
  static Get get(RowKeys keys) {
    return new Get(keys.pointer())
        .addColumn(RowKeys.PARTITIONS, CURRENT)
        .addColumn(RowKeys.PARTITIONS, PREVIOUS)
        .addColumn(RowKeys.PARTITIONS, DOCUMENT);
  }

  /** What was read; empty if nothing has been published yet. */
  static Optional<Pointer> of(Result row) {
    byte[] current = row.getValue(RowKeys.PARTITIONS, CURRENT);
    byte[] previous = row.getValue(RowKeys.PARTITIONS, PREVIOUS);
    byte[] document = row.getValue(RowKeys.PARTITIONS, DOCUMENT);
    return current == null || previous == null || document == null
        ? Optional.empty()
        : Optional.of(new Pointer(Bytes.toLong(current), Bytes.toLong(previous), document));
  }

  /** The pointer behind one that is to be replaced, 0 standing for no publication. */
  static Pointer next(Optional<Pointer> before, long publication, byte[] document) {
    return new Pointer(publication, before.map(Pointer::current).orElse(0L), document);
  }

  /** Puts it where another is, or none, and nowhere else. */
  CheckAndMutate inPlaceOf(Optional<Pointer> before, RowKeys keys) {
    CheckAndMutate.Builder check = CheckAndMutate.newBuilder(keys.pointer());
    if (before.isPresent()) {
      check.ifMatches(
          RowKeys.PARTITIONS, CURRENT, CompareOperator.EQUAL, Bytes.toBytes(before.get().current));
    } else {
      check.ifNotExists(RowKeys.PARTITIONS, CURRENT);
    }
    return check.build(
        new Put(keys.pointer())
            .addColumn(RowKeys.PARTITIONS, CURRENT, Bytes.toBytes(current))
            .addColumn(RowKeys.PARTITIONS, PREVIOUS, Bytes.toBytes(previous))
            .addColumn(RowKeys.PARTITIONS, DOCUMENT, document));
  }

  /** Number of the publication that is in force. */
  long current() {
    return current;
  }

  /** Number of the one before; 0 if there is none. */
  long previous() {
    return previous;
  }

  /** Whether the rows of a publication are all there. */
  boolean keeps(long publication) {
    return publication == current || publication == previous;
  }

  /** What the publication in force says of itself. */
  byte[] document() {
    return document.clone();
  }
}
