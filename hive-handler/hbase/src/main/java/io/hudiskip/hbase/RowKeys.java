// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hbase;

import io.hudiskip.compile.plan.ScanRange;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import javax.annotation.Nullable;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter.RowRange;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Row keys ({@code docs/inside/formats.md}, "Rows in HBase"): a partition's row key is the Hudi
 * table's root, the publication and the partition's key.
 */
final class RowKeys {
  /** The column family of whole rows: partitions by path, and the pointer. */
  static final byte[] PARTITIONS = {'p'};

  /** The column family of key values, for server-side filters; qualified by position in the key. */
  static final byte[] VALUES = {'v'};

  private static final byte[] END = {0, 1};

  /** No value begins with it, so it sorts before all keys of a table. */
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

  /** The root directory as keys contain it; only the path for local files. */
  static String root(Path qualified) {
    URI uri = qualified.toUri();
    String authority = uri.getAuthority() == null ? "" : uri.getAuthority();
    return uri.getScheme() == null || uri.getScheme().equals("file")
        ? uri.getPath()
        : uri.getScheme() + "://" + authority + uri.getPath();
  }

  byte[] pointer() {
    return table.clone();
  }

  /** The prefix of exactly the rows of a publication. */
  byte[] prefix(long publication) {
    return Bytes.add(table, text(String.format("%016x", publication)));
  }

  /** The end of a publication's rows, exclusive. */
  byte[] end(long publication) {
    byte[] end = prefix(publication);
    end[end.length - 1]++; // the prefix ends with 01
    return end;
  }

  byte[] keyed(long publication, byte[] key) {
    return Bytes.add(prefix(publication), key);
  }

  byte[] unkeyed(long publication, byte[] path) {
    return Bytes.add(prefix(publication), new byte[] {UNKEYED}, path);
  }

  RowRange unkeyed(long publication) {
    return range(
        Bytes.add(prefix(publication), new byte[] {UNKEYED}),
        Bytes.add(prefix(publication), new byte[] {FIRST_OF_KEYS}));
  }

  RowRange range(long publication, ScanRange range) {
    byte[] start = range.start();
    return range(
        keyed(publication, start.length == 0 ? new byte[] {FIRST_OF_KEYS} : start),
        range.stop().map(stop -> keyed(publication, stop)).orElseGet(() -> end(publication)));
  }

  /** The key of a row; empty if its partition has none. */
  byte[] key(long publication, byte[] row) {
    byte[] key = Arrays.copyOfRange(row, prefix(publication).length, row.length);
    return key.length == 0 || key[0] == UNKEYED ? new byte[0] : key;
  }

  static byte[] column(int position) {
    return new byte[] {(byte) position};
  }

  /** A value's cell. Cells sort like values, NULL first. */
  static byte[] cell(@Nullable byte[] value) {
    return value == null ? NULL : Bytes.add(VALUE, value);
  }

  private static RowRange range(byte[] start, byte[] stop) {
    return new RowRange(start, true, stop, false);
  }

  /** A name in a key: {@code 00 FF} escapes a zero byte, and {@code 00 01} terminates the name. */
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
