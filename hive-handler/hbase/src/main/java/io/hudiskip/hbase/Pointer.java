// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hbase;

import java.util.Optional;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A table's row that names the publication in force; its cells change atomically. Rows of that
 * publication and the previous one are kept: see {@link Publication}. Immutable.
 */
final class Pointer {
  /** Counts publications, including those that never came into force. */
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

  static Get get(RowKeys keys) {
    return new Get(keys.pointer())
        .addColumn(RowKeys.PARTITIONS, CURRENT)
        .addColumn(RowKeys.PARTITIONS, PREVIOUS)
        .addColumn(RowKeys.PARTITIONS, DOCUMENT);
  }

  /** Empty if nothing has been published yet. */
  static Optional<Pointer> of(Result row) {
    byte[] current = row.getValue(RowKeys.PARTITIONS, CURRENT);
    byte[] previous = row.getValue(RowKeys.PARTITIONS, PREVIOUS);
    byte[] document = row.getValue(RowKeys.PARTITIONS, DOCUMENT);
    return current == null || previous == null || document == null
        ? Optional.empty()
        : Optional.of(new Pointer(Bytes.toLong(current), Bytes.toLong(previous), document));
  }

  /** The pointer that follows {@code before}; 0 stands for no publication. */
  static Pointer next(Optional<Pointer> before, long publication, byte[] document) {
    return new Pointer(publication, before.map(Pointer::current).orElse(0L), document);
  }

  /** Replaces exactly {@code before}. */
  CheckAndMutate replacing(Optional<Pointer> before, RowKeys keys) {
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

  long current() {
    return current;
  }

  /** Number of the previous publication; 0 if there is none. */
  long previous() {
    return previous;
  }

  /** Whether all rows of a publication still exist. */
  boolean keeps(long publication) {
    return publication == current || publication == previous;
  }

  byte[] document() {
    return document.clone();
  }
}
