// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.evolution;

import io.hudiskip.encoding.HiveType;
import io.hudiskip.statistics.RecordedTimestamps;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.avro.LogicalType;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.hadoop.metadata.FileMetaData;
import org.apache.parquet.hadoop.metadata.ParquetMetadata;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimestampLogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;
import org.apache.parquet.schema.Types;

/**
 * Which timestamps a table's schema counts in milliseconds, and which have no time zone. Files may
 * say otherwise: before 1.1, Hudi labelled milliseconds as microseconds (its issue 13233), and up
 * to 1.0 it wrote timestamps without a time zone as plain numbers. The table is right, as for
 * Hudi's readers since 1.1. Immutable.
 */
public final class TimestampUnits {
  private static final String PROPERTY = "hudi.skipping.internal.timestamp.units";
  private static final String MILLIS = LogicalTypes.timestampMillis().getName();
  private static final String LOCAL = "local-";

  /** Avro's names of the types other than microseconds with a time zone, by dotted path. */
  private final Map<String, String> types;

  private TimestampUnits(Map<String, String> types) {
    this.types = Collections.unmodifiableMap(types);
  }

  /** Those of a table with this schema. */
  public static TimestampUnits of(Schema table) {
    Map<String, String> types = new TreeMap<>();
    collect(table, "", types, new ArrayList<>());
    return new TimestampUnits(types);
  }

  private static void collect(
      Schema schema, String path, Map<String, String> types, List<String> enclosing) {
    switch (schema.getType()) {
      case UNION:
        schema.getTypes().forEach(branch -> collect(branch, path, types, enclosing));
        break;
      case RECORD:
        if (!enclosing.contains(schema.getFullName())) { // a record within itself has no Hive type
          enclosing.add(schema.getFullName());
          for (Schema.Field field : schema.getFields()) {
            collect(field.schema(), child(path, field.name()), types, enclosing);
          }
          enclosing.remove(schema.getFullName());
        }
        break;
      case ARRAY:
        collect(schema.getElementType(), child(path, "element"), types, enclosing);
        break;
      case MAP:
        collect(schema.getValueType(), child(path, "value"), types, enclosing);
        break;
      default:
        LogicalType logical = schema.getLogicalType();
        if (logical instanceof LogicalTypes.TimestampMillis
            || logical instanceof LogicalTypes.LocalTimestampMillis
            || logical instanceof LogicalTypes.LocalTimestampMicros) {
          types.put(path, logical.getName());
        }
    }
  }

  private static String child(String path, String name) {
    String lowerCase = name.toLowerCase(Locale.ROOT);
    return path.isEmpty() ? lowerCase : path + "." + lowerCase;
  }

  /** Those that {@link #setTo} left in a reader's configuration; otherwise none. */
  static TimestampUnits in(Configuration reader) {
    return parse(reader.get(PROPERTY, ""));
  }

  /** Reads {@link #toString}. */
  public static TimestampUnits parse(String text) {
    Map<String, String> types = new TreeMap<>();
    for (String line : text.split("\n", -1)) {
      int space = line.indexOf(' ');
      if (space > 0) {
        types.put(line.substring(space + 1), line.substring(0, space));
      }
    }
    return new TimestampUnits(types);
  }

  @Override
  public String toString() {
    return types.entrySet().stream()
        .map(type -> type.getValue() + " " + type.getKey())
        .collect(Collectors.joining("\n"));
  }

  /** Whether all timestamps are microseconds with a time zone. */
  public boolean areUsual() {
    return types.isEmpty();
  }

  /** Lets readers with this configuration take the table's units. */
  public void setTo(Configuration reader) {
    reader.set(PROPERTY, toString());
  }

  /** The type under which the index records the timestamps of a column that Hive reads right. */
  public HiveType recordedType(String column) {
    return types.getOrDefault(column, "").endsWith(MILLIS)
        ? RecordedTimestamps.MILLIS
        : RecordedTimestamps.MICROS;
  }

  /** A file's footer with the table's units; the same object if nothing changes. */
  public static ParquetMetadata repaired(Configuration reader, ParquetMetadata footer) {
    FileMetaData file = footer.getFileMetaData();
    MessageType schema = in(reader).repaired(file.getSchema());
    return schema.equals(file.getSchema())
        ? footer
        : new ParquetMetadata(
            new FileMetaData(schema, file.getKeyValueMetaData(), file.getCreatedBy()),
            footer.getBlocks());
  }

  /** A file's schema with the table's units; the same object if nothing changes. */
  MessageType repaired(MessageType file) {
    List<Type> fields = areUsual() ? file.getFields() : repaired(file, "");
    return fields.equals(file.getFields()) ? file : new MessageType(file.getName(), fields);
  }

  private List<Type> repaired(GroupType group, String path) {
    return group.getFields().stream()
        .map(field -> repaired(field, child(path, field.getName())))
        .collect(Collectors.toList());
  }

  private Type repaired(Type field, String path) {
    if (field.isPrimitive()) {
      return primitive(field.asPrimitiveType(), types.getOrDefault(path, ""));
    }
    GroupType group = field.asGroupType();
    LogicalTypeAnnotation logical = group.getLogicalTypeAnnotation();
    if (logical instanceof LogicalTypeAnnotation.ListLogicalTypeAnnotation) {
      Type element = StoredType.element(group);
      Type repaired = repaired(element, child(path, "element"));
      return element.equals(group.getType(0))
          ? group.withNewFields(repaired)
          : group.withNewFields(group.getType(0).asGroupType().withNewFields(repaired));
    }
    if (StoredType.isMap(logical)) {
      GroupType entry = group.getType(0).asGroupType();
      Type value = repaired(entry.getType(1), child(path, "value"));
      return group.withNewFields(entry.withNewFields(entry.getType(0), value));
    }
    return group.withNewFields(repaired(group, path));
  }

  private static Type primitive(PrimitiveType field, String type) {
    if (type.isEmpty() || field.getPrimitiveTypeName() != PrimitiveTypeName.INT64) {
      return field;
    }
    LogicalTypeAnnotation logical = field.getLogicalTypeAnnotation();
    boolean isMislabelled =
        type.endsWith(MILLIS)
            && logical instanceof TimestampLogicalTypeAnnotation
            && ((TimestampLogicalTypeAnnotation) logical).getUnit() == TimeUnit.MICROS;
    boolean isLocal = type.startsWith(LOCAL);
    if (!isMislabelled && !(logical == null && isLocal)) {
      return field;
    }
    TimeUnit unit = type.endsWith(MILLIS) ? TimeUnit.MILLIS : TimeUnit.MICROS;
    PrimitiveType repaired =
        Types.primitive(PrimitiveTypeName.INT64, field.getRepetition())
            .as(LogicalTypeAnnotation.timestampType(!isLocal, unit))
            .named(field.getName());
    return field.getId() == null ? repaired : repaired.withId(field.getId().intValue());
  }
}
