/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive;

import javax.annotation.Nullable;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;

/** The columns of a Parquet file by Hive's names, which have no case. */
final class ParquetColumns {
  private ParquetColumns() {}

  /** The top-level column that Hive reads for a name, null if the file has none. */
  @Nullable
  static Type find(MessageType schema, String name) {
    for (Type field : schema.getFields()) {
      if (field.getName().equalsIgnoreCase(name)) {
        return field;
      }
    }
    return null;
  }
}
