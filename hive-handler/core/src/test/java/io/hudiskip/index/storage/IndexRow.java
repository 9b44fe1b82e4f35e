// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.index.storage;

import io.hudiskip.compile.encoding.ValueEncoding;
import java.io.ByteArrayOutputStream;

/** One row of a test's data file: by default an int column of a file of 100 bytes. */
final class IndexRow {
  final String column;
  final String partition;
  final String fileName;
  String type = "int";
  long fileSize = 100;
  byte[] lower;
  byte[] upper;
  Long nullCount = 0L;
  long valueCount = 10;
  Long nanCount;
  byte[] values;
  byte[] bloom;

  /** Of the kind that only tests have; such a row has no range. */
  byte[] octets;

  private IndexRow(String column, String partition, String fileName) {
    this.column = column;
    this.partition = partition;
    this.fileName = fileName;
  }

  /** Integers from {@code lower} to {@code upper}. */
  static IndexRow of(String column, String partition, String fileName, long lower, long upper) {
    IndexRow row = new IndexRow(column, partition, fileName);
    row.lower = ValueEncoding.encodeInteger(lower);
    row.upper = ValueEncoding.encodeInteger(upper);
    return row;
  }

  IndexRow type(String newType) {
    type = newType;
    return this;
  }

  IndexRow fileSize(long newSize) {
    fileSize = newSize;
    return this;
  }

  /** The distinct values of the column in the file, encoded and ascending. */
  IndexRow values(byte[]... encoded) {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    for (byte[] value : encoded) {
      for (int left = value.length; ; left >>>= 7) {
        content.write(left > 0x7F ? (left & 0x7F) | 0x80 : left);
        if (left <= 0x7F) {
          break;
        }
      }
      content.write(value, 0, value.length);
    }
    values = content.toByteArray();
    return this;
  }

  IndexRow bloom(byte[] filter) {
    bloom = filter;
    return this;
  }

  /** A record of the kind that only tests have, of one column or of several together. */
  static IndexRow octets(String column, String type, String fileName, int... octets) {
    IndexRow row = new IndexRow(column, "", fileName).type(type);
    row.octets = new byte[octets.length];
    for (int i = 0; i < octets.length; i++) {
      row.octets[i] = (byte) octets[i];
    }
    return row;
  }

  String path() {
    return partition.isEmpty() ? fileName : partition + "/" + fileName;
  }

  IndexRow allNull() {
    lower = null;
    upper = null;
    nullCount = valueCount;
    return this;
  }

  /** Of a file without rows. */
  IndexRow empty() {
    valueCount = 0;
    return allNull();
  }

  IndexRow withoutStatistics() {
    lower = null;
    upper = null;
    nullCount = null;
    return this;
  }
}
