/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.index.storage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The statistics index of a test's table: the bounds of the bigint column {@code id}. */
public final class IdIndex {
  private final Path table;
  private final List<IndexRow> rows = new ArrayList<>();

  public IdIndex(Path table) {
    this.table = table;
  }

  /** Records that the ids of a base file, which has to be there, lie between two values. */
  public IdIndex file(String partition, String fileName, long lower, long upper)
      throws IOException {
    rows.add(
        IndexRow.of("id", partition, fileName, lower, upper)
            .type("bigint")
            .fileSize(Files.size(table.resolve(partition).resolve(fileName))));
    return this;
  }

  /** Publishes what was recorded as generation 1. */
  public void publish() throws IOException {
    IndexWriter writer = new IndexWriter(table);
    writer.publish(IndexWriter.manifest(1, writer.dataFile(1000, rows)));
  }
}
