// SPDX-License-Identifier: Apache-2.0
import com.fasterxml.jackson.databind.JsonNode;
import io.hudiskip.bench.Timings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
 * Times how Iceberg plans a scan of a table with the same files and metrics: {@code IcebergPlanning
 * JOB ANSWER}. The files are registered with their metrics and do not exist. Run from source, so
 * that the build does not depend on Iceberg.
 */
public final class IcebergPlanning {
  private static final String PARTITION = "datestr";

  private final HadoopTables tables = new HadoopTables(new Configuration());
  private final String location;
  private final Map<String, Types.NestedField> fields = new LinkedHashMap<>();

  private IcebergPlanning(String location, JsonNode types) throws Exception {
    this.location = location;
    Timings.each(
        types,
        (name, type) ->
            fields.put(
                name,
                Types.NestedField.optional(fields.size() + 1, name, type(type.textValue()))));
  }

  public static void main(String[] arguments) throws Exception {
    JsonNode job = Timings.job(arguments[0]);
    JsonNode pace = job.get("pace");
    IcebergPlanning planning =
        new IcebergPlanning(job.get("table").textValue(), job.get("types"));
    planning.register(job.get("rows").textValue());
    Timings timings = new Timings();
    Timings.each(
        job.get("filters"),
        (name, conditions) -> {
          Expression all = expression(conditions);
          timings.time(name + " cold", pace, () -> planned(planning.load(), all));
          Table loaded = planning.load();
          timings.time(name + " warm", pace, () -> planned(loaded, all));
        });
    timings.write(arguments[1]);
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
        long size = row.getLong("file_size", 0);
        long rows = row.getLong("value_count", 0);
        files
            .computeIfAbsent(
                row.getString("partition", 0) + "/" + row.getString("file_name", 0),
                ignored -> new FileMetrics(size, rows))
            .add(fields.get(row.getString("column", 0)), row);
      }
    }
    return files;
  }

  private static Expression expression(JsonNode conditions) {
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
