/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.catalogue.hbase;

import io.hudiskip.plan.ScanRange;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import javax.annotation.Nullable;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter.RowRange;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The keys of rows ({@code docs/scan-plans.md}, "In HBase"): those of partitions are the
 * catalogue's keys, for which the table's root stands as the database and the publication as the
 * table.
 */
final class RowKeys {
  /** The one family of columns about whole rows: partitions by their paths, and the pointer. */
  static final byte[] PARTITIONS = {'p'};

  /** The family of a key's values, for filters on the server: each under its place in the key. */
  static final byte[] VALUES = {'v'};

  private static final byte[] END = {0, 1};

  /** No value begins with it, so that it stands before all keys of a table. */
  private static final byte UNKEYED = 0;

  private static final byte FIRST_OF_KEYS = 1;

  private static final byte[] NULL = {1};
  private static final byte[] VALUE = {2};

  private final byte[] table;

  private RowKeys(byte[] table) {
    this.table = table;
  }

  /**
   * The keys of a Hudi table.
   *
   * @param root its root directory, with scheme and authority, or a plain path if it is local
   */
  static RowKeys of(String root) {
    return new RowKeys(text(root));
  }

  /** The root directory as it stands in keys: of local files the path alone. */
  static String root(Path qualified) {
    URI uri = qualified.toUri();
    String authority = uri.getAuthority() == null ? "" : uri.getAuthority();
    return uri.getScheme() == null || uri.getScheme().equals("file")
        ? uri.getPath()
        : uri.getScheme() + "://" + authority + uri.getPath();
  }

  /** The row that says which publication is in force. */
  byte[] pointer() {
    return table.clone();
  }

  /** What all rows of a publication begin with, and no others do. */
  byte[] prefix(long publication) {
    return Bytes.add(table, text(String.format("%016x", publication)));
  }

  /** The first row that can be behind those of a publication. */
  byte[] end(long publication) {
    byte[] end = prefix(publication);
    end[end.length - 1]++; // it ends with 01
    return end;
  }

  /** The row of the partitions with a key. */
  byte[] keyed(long publication, byte[] key) {
    return Bytes.add(prefix(publication), key);
  }

  /** The row of a partition without a key. */
  byte[] unkeyed(long publication, byte[] path) {
    return Bytes.add(prefix(publication), new byte[] {UNKEYED}, path);
  }

  /** The rows of all partitions without a key. */
  RowRange unkeyed(long publication) {
    return range(
        Bytes.add(prefix(publication), new byte[] {UNKEYED}),
        Bytes.add(prefix(publication), new byte[] {FIRST_OF_KEYS}));
  }

  /** The rows of the partitions whose keys are in a range. */
  RowRange range(long publication, ScanRange range) {
    byte[] start = range.start();
    return range(
        keyed(publication, start.length == 0 ? new byte[] {FIRST_OF_KEYS} : start),
        range.stop().map(stop -> keyed(publication, stop)).orElseGet(() -> end(publication)));
  }

  /** The key of a row; empty if it is that of a partition without one. */
  byte[] key(long publication, byte[] row) {
    byte[] key = Arrays.copyOfRange(row, prefix(publication).length, row.length);
    return key.length == 0 || key[0] == UNKEYED ? new byte[0] : key;
  }

  /** Qualifier of the cell with the value of a column. */
  static byte[] column(int place) {
    return new byte[] {(byte) place};
  }

  /** The cell of a value. The order of such bytes is that of the values, NULL first. */
  static byte[] cell(@Nullable byte[] value) {
    return value == null ? NULL : Bytes.add(VALUE, value);
  }

  private static RowRange range(byte[] start, byte[] stop) {
    return new RowRange(start, true, stop, false);
  }

  /** A name in a key: a zero byte is {@code 00 FF}, and {@code 00 01} is its end. */
  private static byte[] text(String text) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
      bytes.write(b);
      if (b == 0) {
        bytes.write(0xFF);
      }
    }
    return Bytes.add(bytes.toByteArray(), END);
  }
}
