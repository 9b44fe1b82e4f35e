/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.index;

import io.hudiskip.encoding.ValueEncoding;

/**
 * One row of a data file that a test writes: an int column of a file of 100 bytes, unless said
 * otherwise.
 */
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

  IndexRow allNull() {
    lower = null;
    upper = null;
    nullCount = valueCount;
    return this;
  }

  IndexRow withoutStatistics() {
    lower = null;
    upper = null;
    nullCount = null;
    return this;
  }
}
