/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip;

import java.util.Locale;
import java.util.Optional;

/** Where the names and sizes of a table's files are taken from. */
public enum ListingSource {
  /** The statistics index, where it is proved to know them; else a listing by Hudi. */
  INDEX,

  /** A listing by Hudi. */
  FILES;

  /** The source of this name, in upper or lower case; empty if there is none. */
  static Optional<ListingSource> named(String name) {
    for (ListingSource source : values()) {
      if (source.toString().equals(name.toLowerCase(Locale.ROOT))) {
        return Optional.of(source);
      }
    }
    return Optional.empty();
  }

  /** The name as users write it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
