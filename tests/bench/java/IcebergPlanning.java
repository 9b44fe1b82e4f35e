/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.iceberg.AppendFiles;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Metrics;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.hadoop.HadoopTables;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.types.Conversions;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.hadoop.ParquetReader;
import org.apache.parquet.hadoop.example.GroupReadSupport;

/**
 * How long Iceberg takes to plan a scan of a table with the same files and metrics: {@code
 * IcebergPlanning JOB ANSWER}. The files are registered with their metrics and do not exist. Run from
 * source, so that Iceberg is no dependency of the build.
 */
public final class IcebergPlanning {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String PARTITION = "datestr";

  private final HadoopTables tables = new HadoopTables(new Configuration());
  private final String location;
  private final Map<String, Types.NestedField> fields = new LinkedHashMap<>();

  private IcebergPlanning(String location, JsonNode types) {
    this.location = location;
    types
        .fields()
        .forEachRemaining(
            column ->
                fields.put(
                    column.getKey(),
                    Types.NestedField.optional(
                        fields.size() + 1, column.getKey(), type(column.getValue().textValue()))));
  }

  public static void main(String[] arguments) throws Exception {
    JsonNode job = JSON.readTree(new File(arguments[0]));
    IcebergPlanning planning =
        new IcebergPlanning(job.get("table").textValue(), job.get("types"));
    planning.register(job.get("rows").textValue());
    ObjectNode found = JSON.createObjectNode();
    JsonNode pace = job.get("pace");
    job.get("filters")
        .fields()
        .forEachRemaining(
            filter -> {
              Expression expression = planning.expression(filter.getValue());
              found.set(
                  filter.getKey() + " cold",
                  timed(pace, () -> planned(planning.load(), expression)));
              Table loaded = planning.load();
              found.set(
                  filter.getKey() + " warm",
                  timed(pace, () -> planned(loaded, expression)));
            });
    JSON.writeValue(new File(arguments[1]), found);
  }

  /** At the same pace as the handler's programs. */
  private static ObjectNode timed(JsonNode pace, Callable<Long> work) {
    try {
      long end = System.nanoTime() + (long) (1e9 * pace.get("warm_up_seconds").doubleValue());
      do {
        work.call();
      } while (System.nanoTime() < end);
      ObjectNode entry = JSON.createObjectNode();
      ArrayNode times = entry.putArray("times");
      for (int i = 0; i < pace.get("repetitions").intValue(); i++) {
        long start = System.nanoTime();
        entry.put("count", work.call());
        times.add((System.nanoTime() - start) / 1e6);
      }
      return entry;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private Table load() {
    return tables.load(location);
  }

  private static long planned(Table table, Expression expression) throws IOException {
    long files = 0;
    try (CloseableIterable<FileScanTask> tasks = table.newScan().filter(expression).planFiles()) {
      for (FileScanTask ignored : tasks) {
        files++;
      }
    }
    return files;
  }

  private void register(String rows) throws IOException {
    List<Types.NestedField> columns = new ArrayList<>(fields.values());
    columns.add(
        Types.NestedField.optional(columns.size() + 1, PARTITION, Types.StringType.get()));
    Schema schema = new Schema(columns);
    PartitionSpec spec = PartitionSpec.builderFor(schema).identity(PARTITION).build();
    Table table = tables.create(schema, spec, location);
    AppendFiles append = table.newAppend();
    read(rows)
        .forEach(
            (path, file) ->
                append.appendFile(
                    DataFiles.builder(spec)
                        .withPath(location + "/data/" + path)
                        .withPartitionPath(path.substring(0, path.lastIndexOf('/')))
                        .withFileSizeInBytes(file.size)
                        .withMetrics(file.metrics())
                        .build()));
    append.commit();
  }

  private Map<String, FileMetrics> read(String path) throws IOException {
    Map<String, FileMetrics> files = new LinkedHashMap<>();
    try (ParquetReader<Group> reader =
        ParquetReader.builder(new GroupReadSupport(), new Path(path)).build()) {
      for (Group row = reader.read(); row != null; row = reader.read()) {
        String file = row.getString("partition", 0) + "/" + row.getString("file_name", 0);
        FileMetrics metrics = files.get(file);
        if (metrics == null) {
          metrics = new FileMetrics(row.getLong("file_size", 0), row.getLong("value_count", 0));
          files.put(file, metrics);
        }
        metrics.add(fields.get(row.getString("column", 0)), row);
      }
    }
    return files;
  }

  private Expression expression(JsonNode conditions) {
    Expression all = Expressions.alwaysTrue();
    for (JsonNode condition : conditions) {
      String column = condition.get("column").textValue();
      all =
          Expressions.and(
              all,
              Expressions.greaterThanOrEqual(column, literal(condition.get("low"))),
              Expressions.lessThanOrEqual(column, literal(condition.get("high"))));
    }
    return all;
  }

  private static Object literal(JsonNode value) {
    return value.isTextual()
        ? value.textValue()
        : value.isIntegralNumber() ? (Object) value.longValue() : (Object) value.doubleValue();
  }

  private static Type type(String hiveType) {
    switch (hiveType) {
      case "int":
        return Types.IntegerType.get();
      case "bigint":
        return Types.LongType.get();
      case "double":
        return Types.DoubleType.get();
      case "date":
        return Types.DateType.get();
      case "timestamp":
        return Types.TimestampType.withZone();
      default:
        return Types.StringType.get();
    }
  }

  private static final class FileMetrics {
    private final long size;
    private final long rows;
    private final Map<Integer, Long> values = new HashMap<>();
    private final Map<Integer, Long> nulls = new HashMap<>();
    private final Map<Integer, ByteBuffer> lower = new HashMap<>();
    private final Map<Integer, ByteBuffer> upper = new HashMap<>();

    FileMetrics(long size, long rows) {
      this.size = size;
      this.rows = rows;
    }

    void add(Types.NestedField field, Group row) {
      values.put(field.fieldId(), rows);
      nulls.put(field.fieldId(), row.getLong("null_count", 0));
      bound(lower, field, row, "min_value");
      bound(upper, field, row, "max_value");
    }

    private static void bound(
        Map<Integer, ByteBuffer> bounds, Types.NestedField field, Group row, String name) {
      if (row.getFieldRepetitionCount(name) == 1) {
        Object value = value(field.type(), row.getString(name, 0));
        bounds.put(field.fieldId(), Conversions.toByteBuffer(field.type(), value));
      }
    }

    private static Object value(Type type, String text) {
      switch (type.typeId()) {
        case INTEGER:
        case DATE:
          return Integer.valueOf(text);
        case LONG:
        case TIMESTAMP:
          return Long.valueOf(text);
        case DOUBLE:
          return Double.valueOf(text);
        default:
          return text;
      }
    }

    Metrics metrics() {
      return new Metrics(rows, null, values, nulls, null, lower, upper);
    }
  }
}
