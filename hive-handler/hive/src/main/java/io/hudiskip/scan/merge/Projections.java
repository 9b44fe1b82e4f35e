// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.merge;

import java.util.ArrayList;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.hudi.common.schema.HoodieSchema;
import org.apache.hudi.common.schema.HoodieSchemaUtils;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.LogicalTypeAnnotation.ListLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.MapKeyValueTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.MapLogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;

/** Selects fields of Avro schemas, and the Parquet columns from which their records are read. */
final class Projections {
  private Projections() {}

  /** A record's schema with some of its fields, in the order of the names. */
  static Schema of(Schema record, List<String> names) {
    return HoodieSchemaUtils.generateProjectionSchema(HoodieSchema.fromAvroSchema(record), names)
        .toAvroSchema();
  }

  /** The fields of {@code file} that {@code schema} has, by name, in the file's form. */
  static MessageType of(MessageType file, Schema schema) {
    return new MessageType(file.getName(), fields(file, schema));
  }

  private static List<Type> fields(GroupType group, Schema record) {
    List<Type> fields = new ArrayList<>();
    for (Type field : group.getFields()) {
      Schema.Field wanted = record.getField(field.getName());
      if (wanted != null) {
        fields.add(field(field, Promotions.nonNull(wanted.schema())));
      }
    }
    return fields;
  }

  private static Type field(Type stored, Schema wanted) {
    if (stored.isPrimitive()) {
      return stored;
    }
    GroupType group = stored.asGroupType();
    if (group.getLogicalTypeAnnotation() instanceof ListLogicalTypeAnnotation) {
      return wanted.getType() == Schema.Type.ARRAY ? list(group, wanted) : stored;
    }
    if (group.getLogicalTypeAnnotation() instanceof MapLogicalTypeAnnotation
        || group.getLogicalTypeAnnotation() instanceof MapKeyValueTypeAnnotation) {
      return wanted.getType() == Schema.Type.MAP ? map(group, wanted) : stored;
    }
    return wanted.getType() == Schema.Type.RECORD
        ? group.withNewFields(fields(group, wanted))
        : stored;
  }

  /** Distinguishes elements from the layer around them like {@code AvroSchemaConverter}. */
  private static Type list(GroupType list, Schema wanted) {
    Type repeated = list.getType(0);
    Schema element = Promotions.nonNull(wanted.getElementType());
    boolean isElement =
        repeated.isPrimitive()
            || repeated.asGroupType().getFieldCount() > 1
            || repeated.getName().equals("array")
            || repeated.getName().equals(list.getName() + "_tuple");
    if (isElement) {
      return list.withNewFields(field(repeated, element));
    }
    GroupType layer = repeated.asGroupType();
    return list.withNewFields(layer.withNewFields(field(layer.getType(0), element)));
  }

  private static Type map(GroupType map, Schema wanted) {
    GroupType entry = map.getType(0).asGroupType();
    return map.withNewFields(
        entry.withNewFields(
            entry.getType(0), field(entry.getType(1), Promotions.nonNull(wanted.getValueType()))));
  }
}
