// SPDX-License-Identifier: Apache-2.0
import com.fasterxml.jackson.databind.JsonNode;
import io.hudiskip.bench.PlainParquet;
import io.hudiskip.bench.Timings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.AppendFiles;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Metrics;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.expressions.Literal;
import org.apache.iceberg.hadoop.HadoopTables;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.filter2.compat.FilterCompat;

/**
 * Times how Iceberg plans a scan of a table with the same files and metrics: {@code IcebergPlanning
 * JOB ANSWER}. The files are registered with their metrics and do not exist. Run from source, so
 * that the build does not depend on Iceberg.
 */
public final class IcebergPlanning {
  private static final String PARTITION = "datestr";

  public static void main(String[] arguments) throws Exception {
    JsonNode job = Timings.job(arguments[0]);
    JsonNode pace = job.get("pace");
    String location = job.get("table").textValue();
    HadoopTables tables = new HadoopTables(new Configuration());
    Schema schema = schema(job.get("types"));
    PartitionSpec spec = PartitionSpec.builderFor(schema).identity(PARTITION).build();
    register(tables.create(schema, spec, location), job.get("rows").textValue());
    Timings timings = new Timings();
    Timings.each(
        job.get("filters"),
        (name, conditions) -> {
          Expression all = expression(conditions);
          timings.time(name + ", cold", pace, () -> planned(tables.load(location), all));
          Table loaded = tables.load(location);
          timings.time(name + ", warm", pace, () -> planned(loaded, all));
        });
    timings.write(arguments[1]);
  }

  private static Schema schema(JsonNode types) throws Exception {
    List<Types.NestedField> columns = new ArrayList<>();
    Timings.each(
        types,
        (name, type) ->
            columns.add(
                Types.NestedField.optional(
                    columns.size() + 1, name, Types.fromPrimitiveString(type.textValue()))));
    columns.add(
        Types.NestedField.optional(columns.size() + 1, PARTITION, Types.StringType.get()));
    return new Schema(columns);
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

  private static void register(Table table, String rows) throws IOException {
    Map<String, Long> sizes = new HashMap<>();
    Map<String, Metrics> metrics = new LinkedHashMap<>();
    PlainParquet.forEach(
        rows,
        FilterCompat.NOOP,
        row -> {
          String path = row.getString("partition", 0) + "/" + row.getString("file_name", 0);
          sizes.put(path, row.getLong("file_size", 0));
          add(
              metrics.computeIfAbsent(path, ignored -> empty(row.getLong("value_count", 0))),
              table.schema().findField(row.getString("column", 0)),
              row);
        });
    AppendFiles append = table.newAppend();
    metrics.forEach(
        (path, ofFile) ->
            append.appendFile(
                DataFiles.builder(table.spec())
                    .withPath(table.location() + "/data/" + path)
                    .withPartitionPath(path.substring(0, path.lastIndexOf('/')))
                    .withFileSizeInBytes(sizes.get(path))
                    .withMetrics(ofFile)
                    .build()));
    append.commit();
  }

  private static Metrics empty(long rows) {
    return new Metrics(
        rows, null, new HashMap<>(), new HashMap<>(), null, new HashMap<>(), new HashMap<>());
  }

  private static void add(Metrics metrics, Types.NestedField field, Group row) {
    metrics.valueCounts().put(field.fieldId(), metrics.recordCount());
    metrics.nullValueCounts().put(field.fieldId(), row.getLong("null_count", 0));
    if (row.getFieldRepetitionCount("min_value") == 1) {
      metrics.lowerBounds().put(field.fieldId(), bound(field.type(), row, "min_value"));
      metrics.upperBounds().put(field.fieldId(), bound(field.type(), row, "max_value"));
    }
  }

  private static ByteBuffer bound(Type type, Group row, String name) {
    String text = row.getString(name, 0);
    switch (type.typeId()) {
      case STRING:
        return Literal.of(text).toByteBuffer();
      case DOUBLE:
        return Literal.of(Double.parseDouble(text)).toByteBuffer();
      default:
        return Literal.of(Long.parseLong(text)).to(type).toByteBuffer();
    }
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
}
