/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.index.manifest;

import java.util.Optional;

/** What the rows of a row group tell. */
public enum RecordKind {
  /** The base files, by ordinal. */
  FILES("files"),
  /** Bounds and counts of a column in a base file. */
  RANGE("range"),
  /** A bloom filter of a column's values in a base file. */
  BLOOM("bloom"),
  /** All distinct values of a column in a base file. */
  VALUES("values");

  private final String text;

  RecordKind(String text) {
    this.text = text;
  }

  /** The kind of that name in a manifest; empty for one that this reader does not know. */
  static Optional<RecordKind> named(String name) {
    for (RecordKind kind : values()) {
      if (kind.text.equals(name)) {
        return Optional.of(kind);
      }
    }
    return Optional.empty();
  }
}
