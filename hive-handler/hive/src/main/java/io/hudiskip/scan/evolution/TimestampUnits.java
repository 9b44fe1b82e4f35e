// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.evolution;

import io.hudiskip.compile.encoding.HiveType;
import io.hudiskip.compile.statistics.RecordedTimestamps;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.annotation.Nullable;
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
 * Hudi's readers since 1.1. A timestamp that the Hive table declares as {@code bigint}, as
 * hive-sync does, is the number in the file, as in Hudi's input formats. Immutable.
 */
public final class TimestampUnits {
  private static final String PROPERTY = "hudi.skipping.internal.timestamp.units";
  private static final String MILLIS = LogicalTypes.timestampMillis().getName();
  private static final String MICROS = LogicalTypes.timestampMicros().getName();
  private static final String LOCAL = "local-";

  /** In {@link #PROPERTY}: a number. */
  private static final String NUMBER = "bigint";

  static final String ELEMENT = "element";
  static final String VALUE = "value";

  /** Avro's names of the types other than microseconds with a time zone, by dotted path. */
  private final Map<String, String> types;

  /** Paths of the timestamps that are declared as numbers. */
  private final Set<String> numbers;

  /** Whether only numbers in the table's unit are read. */
  private final boolean areMerged;

  private TimestampUnits(Map<String, String> types, Set<String> numbers, boolean areMerged) {
    this.types = Collections.unmodifiableMap(types);
    this.numbers = Collections.unmodifiableSet(numbers);
    this.areMerged = areMerged;
  }

  /**
   * For base files that are merged with logs, which have the table's unit: a number in another one
   * stays a timestamp, which cannot be read as {@code bigint}.
   */
  public TimestampUnits merged() {
    return new TimestampUnits(types, numbers, true);
  }

  /**
   * Those of a table.
   *
   * @param reader has the names and types of the Hive table's columns
   */
  public static TimestampUnits of(Schema table, Configuration reader) {
    Map<String, String> types = new TreeMap<>();
    collect(table, "", types, new ArrayList<>());
    Set<String> numbers = new TreeSet<>(DeclaredNumbers.in(reader));
    numbers.retainAll(types.keySet());
    types.values().removeIf(MICROS::equals);
    return new TimestampUnits(types, numbers, false);
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
        collect(schema.getElementType(), child(path, ELEMENT), types, enclosing);
        break;
      case MAP:
        collect(schema.getValueType(), child(path, VALUE), types, enclosing);
        break;
      default:
        LogicalType logical = schema.getLogicalType();
        if (logical instanceof LogicalTypes.TimestampMicros
            || logical instanceof LogicalTypes.TimestampMillis
            || logical instanceof LogicalTypes.LocalTimestampMillis
            || logical instanceof LogicalTypes.LocalTimestampMicros) {
          types.put(path, logical.getName());
        }
    }
  }

  static String child(String path, String name) {
    String lowerCase = name.toLowerCase(Locale.ROOT);
    return path.isEmpty() ? lowerCase : path + "." + lowerCase;
  }

  /** Those that {@link #setTo} left in a reader's configuration; otherwise none. */
  public static TimestampUnits in(Configuration reader) {
    return parse(reader.get(PROPERTY, ""));
  }

  /** Reads {@link #toString}. */
  public static TimestampUnits parse(String text) {
    Map<String, String> types = new TreeMap<>();
    Set<String> numbers = new TreeSet<>();
    for (String line : text.split("\n", -1)) {
      int space = line.indexOf(' ');
      if (space > 0) {
        String path = line.substring(space + 1);
        if (line.startsWith(NUMBER + " ")) {
          numbers.add(path);
        } else {
          types.put(path, line.substring(0, space));
        }
      }
    }
    return new TimestampUnits(types, numbers, false);
  }

  @Override
  public String toString() {
    return Stream.concat(
            types.entrySet().stream().map(type -> type.getValue() + " " + type.getKey()),
            numbers.stream().map(path -> NUMBER + " " + path))
        .collect(Collectors.joining("\n"));
  }

  /** Whether all timestamps are microseconds with a time zone, and declared as timestamps. */
  public boolean areUsual() {
    return types.isEmpty() && numbers.isEmpty();
  }

  /** Whether any is declared as {@code bigint}. */
  public boolean haveNumbers() {
    return !numbers.isEmpty();
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
  public MessageType repaired(MessageType file) {
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
      return numbers.contains(path)
          ? number(field.asPrimitiveType(), path)
          : primitive(field.asPrimitiveType(), types.getOrDefault(path, ""));
    }
    GroupType group = field.asGroupType();
    LogicalTypeAnnotation logical = group.getLogicalTypeAnnotation();
    if (logical instanceof LogicalTypeAnnotation.ListLogicalTypeAnnotation) {
      Type element = StoredType.element(group);
      Type repaired = repaired(element, child(path, ELEMENT));
      return element.equals(group.getType(0))
          ? group.withNewFields(repaired)
          : group.withNewFields(group.getType(0).asGroupType().withNewFields(repaired));
    }
    if (StoredType.isMap(logical)) {
      GroupType entry = group.getType(0).asGroupType();
      Type value = repaired(entry.getType(1), child(path, VALUE));
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
    return labelled(field, LogicalTypeAnnotation.timestampType(!isLocal, unit));
  }

  private Type number(PrimitiveType field, String path) {
    LogicalTypeAnnotation logical = field.getLogicalTypeAnnotation();
    if (!(logical instanceof TimestampLogicalTypeAnnotation)) {
      return field;
    }
    boolean isRead =
        ((TimestampLogicalTypeAnnotation) logical).getUnit() == TimeUnit.MILLIS
            ? !areMerged || recordedType(path).equals(RecordedTimestamps.MILLIS)
            : ((TimestampLogicalTypeAnnotation) logical).getUnit() == TimeUnit.MICROS;
    return isRead ? labelled(field, null) : field;
  }

  private static Type labelled(PrimitiveType field, @Nullable LogicalTypeAnnotation label) {
    PrimitiveType labelled =
        Types.primitive(PrimitiveTypeName.INT64, field.getRepetition())
            .as(label)
            .named(field.getName());
    return field.getId() == null ? labelled : labelled.withId(field.getId().intValue());
  }

  /** A schema of the table's records in which the declared numbers are plain. */
  public Schema repaired(Schema records) {
    return numbers.isEmpty() ? records : repaired(records, "");
  }

  private Schema repaired(Schema schema, String path) {
    switch (schema.getType()) {
      case UNION:
        return Schema.createUnion(
            schema.getTypes().stream()
                .map(branch -> repaired(branch, path))
                .collect(Collectors.toList()));
      case RECORD:
        List<Schema.Field> fields = new ArrayList<>();
        for (Schema.Field field : schema.getFields()) {
          Schema type = repaired(field.schema(), child(path, field.name()));
          fields.add(new Schema.Field(field.name(), type, null, (Object) null));
        }
        return Schema.createRecord(schema.getName(), null, schema.getNamespace(), false, fields);
      case ARRAY:
        return Schema.createArray(repaired(schema.getElementType(), child(path, ELEMENT)));
      case MAP:
        return Schema.createMap(repaired(schema.getValueType(), child(path, VALUE)));
      default:
        return schema.getType() == Schema.Type.LONG && numbers.contains(path)
            ? Schema.create(Schema.Type.LONG)
            : schema;
    }
  }
}
