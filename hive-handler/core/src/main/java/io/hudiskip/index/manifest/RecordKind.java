// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.index.manifest;

import io.hudiskip.kind.IndexKind;
import io.hudiskip.kind.IndexKinds;
import java.util.Optional;

/** What a row group's rows hold: base files, ranges, or contents of an index kind. */
public final class RecordKind {

  /** The base files, by ordinal. */
  public static final RecordKind FILES = new RecordKind("files");

  /** Bounds and counts of a column in a base file. */
  public static final RecordKind RANGE = new RecordKind("range");

  private final String name;

  private RecordKind(String name) {
    this.name = name;
  }

  public static RecordKind of(IndexKind kind) {
    return new RecordKind(kind.name());
  }

  /** The kind with this name in a manifest; empty if this reader does not know it. */
  static Optional<RecordKind> named(String name) {
    for (RecordKind kind : new RecordKind[] {FILES, RANGE}) {
      if (kind.name.equals(name)) {
        return Optional.of(kind);
      }
    }
    return IndexKinds.named(name).map(RecordKind::of);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RecordKind && name.equals(((RecordKind) other).name);
  }

  @Override
  public int hashCode() {
    return name.hashCode();
  }

  @Override
  public String toString() {
    return name;
  }
}
