// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.index.storage;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
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
    long size = Files.size(table.resolve(partition).resolve(fileName));
    return file(partition, fileName, size, lower, upper);
  }

  /** The same for a file of many rows. */
  public IdIndex fileOf(long count, String partition, String fileName, long lower, long upper)
      throws IOException {
    IndexRow row = IndexRow.of("id", partition, fileName, lower, upper);
    row.valueCount = count;
    return add(row, Files.size(table.resolve(partition).resolve(fileName)));
  }

  /** The same for a file that was of some size. */
  public IdIndex file(String partition, String fileName, long size, long lower, long upper) {
    return add(IndexRow.of("id", partition, fileName, lower, upper), size);
  }

  /** Records that a file has no row. */
  public IdIndex emptyFile(String partition, String fileName, long size) {
    return add(IndexRow.of("id", partition, fileName, 0, 0).empty(), size);
  }

  /** Records that nothing is known of a file but its size. */
  public IdIndex fileWithoutStatistics(String partition, String fileName, long size) {
    return add(IndexRow.of("other", partition, fileName, 0, 0).withoutStatistics(), size);
  }

  private IdIndex add(IndexRow row, long size) {
    rows.add(row.type("bigint").fileSize(size));
    return this;
  }

  /** Records that a base file has left the table. */
  public IdIndex without(String partition, String fileName) {
    return file(partition, fileName, 0, 0, 0);
  }

  /** Publishes what was recorded as generation 1. */
  public void publish() throws IOException {
    IndexWriter writer = new IndexWriter(table);
    writer.publish(IndexWriter.manifest(1, writer.dataFile(1000, rows)));
  }

  /**
   * An index as left by an update that knows all files of the table.
   *
   * @param completed names of the timeline's files
   * @param pending instants
   */
  public void publishAsOf(Collection<String> completed, String... pending) throws IOException {
    IndexWriter writer = new IndexWriter(table);
    ObjectNode manifest = IndexWriter.manifest(1, writer.dataFile(1000, rows));
    manifest
        .putObject("live")
        .put("files", rows.stream().filter(row -> row.fileSize > 0).count())
        .put("rows", 0)
        .put("bytes", rows.stream().mapToLong(row -> row.fileSize).sum());
    ObjectNode timeline = manifest.putObject("timeline");
    ArrayNode names = timeline.putArray("completed");
    completed.forEach(names::add);
    ArrayNode instants = timeline.putArray("pending");
    Arrays.asList(pending).forEach(instants::add);
    writer.publish(manifest);
  }
}
