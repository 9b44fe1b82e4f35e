// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.bench;

import java.io.IOException;
import java.sql.Date;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hudi.stats.HoodieColumnRangeMetadata;
import org.apache.hudi.stats.ValueMetadata;
import org.apache.parquet.column.ParquetProperties;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.filter2.compat.FilterCompat;
import org.apache.parquet.hadoop.ParquetReader;
import org.apache.parquet.hadoop.example.GroupReadSupport;

/**
 * The rows of statistics as the RFC keeps them in plain Parquet, read by parquet-mr. Programs run
 * from source use it too.
 */
public final class PlainParquet {
  private PlainParquet() {}

  public static void forEach(String path, FilterCompat.Filter filter, Consumer<Group> rows)
      throws IOException {
    try (ParquetReader<Group> reader =
        ParquetReader.builder(new GroupReadSupport(), new Path(path))
            .withConf(new Configuration())
            .withFilter(filter)
            .build()) {
      for (Group row = reader.read(); row != null; row = reader.read()) {
        rows.accept(row);
      }
    }
  }

  static String text(Group row, String column) {
    return row.getFieldRepetitionCount(column) == 0 ? null : row.getString(column, 0);
  }

  /** A row as Hudi's metadata table has it. */
  @SuppressWarnings({"rawtypes", "unchecked"})
  static HoodieColumnRangeMetadata<Comparable> range(Group row) {
    String type = text(row, "type");
    return HoodieColumnRangeMetadata.create(
        text(row, "partition") + "/" + text(row, "file_name"),
        text(row, "column"),
        value(type, text(row, "min_value")),
        value(type, text(row, "max_value")),
        row.getLong("null_count", 0),
        row.getLong("value_count", 0),
        ParquetProperties.DEFAULT_PAGE_SIZE,
        ParquetProperties.DEFAULT_PAGE_SIZE,
        ValueMetadata.V1EmptyMetadata.get());
  }

  @SuppressWarnings("rawtypes")
  private static Comparable value(String type, String text) {
    if (text == null) {
      return null;
    }
    switch (type) {
      case "int":
        return Integer.valueOf(text);
      case "bigint":
        return Long.valueOf(text);
      case "double":
        return Double.valueOf(text);
      case "date":
        return Date.valueOf(LocalDate.ofEpochDay(Long.parseLong(text)));
      case "timestamp":
        return Timestamp.from(Instant.EPOCH.plus(Long.parseLong(text), ChronoUnit.MICROS));
      default:
        return text;
    }
  }
}
